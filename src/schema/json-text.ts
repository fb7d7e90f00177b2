/**
 * The text of a JSON document that came over the wire. What is no Unicode becomes U+FFFD, as it does for every client of the
 * original: bytes that are no UTF-8, and escapes that stand for one half of a surrogate pair, which no store and no client could
 * write as UTF-8 again.
 */
export function jsonTextOfBytes(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  return surrogate.test(text) ? text.replace(anyEscape, (whole, lone?: string) => (lone ? '\\ufffd' : whole)) : text
}

const surrogate = /\\u[dD][89a-fA-F]/

/** Every escape, so that a backslash that is itself escaped begins none: a pair, one half of a pair, or any other. */
const anyEscape =
  /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\[\s\S]/g
