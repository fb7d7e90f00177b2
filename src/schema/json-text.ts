/**
 * Decodes the text of a JSON document from the wire. Invalid UTF-8 and escapes of unpaired surrogates become U+FFFD, as upstream does:
 * no store and no client could write them as UTF-8 again.
 */
export function jsonTextOfBytes(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  return surrogate.test(text) ? text.replace(anyEscape, (whole, lone?: string) => (lone ? '\\ufffd' : whole)) : text
}

const surrogate = /\\u[dD][89a-fA-F]/

/** Matches every escape (a surrogate pair, an unpaired surrogate, any other), so that an escaped backslash does not start one. */
const anyEscape =
  /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\[\s\S]/g
