const alphabet = /^[A-Za-z0-9_-]*$/

/** Undefined unless the text is the one and only way to write its bytes: no padding, no other characters, no bits left over. */
export function decodeBase64url(text: string): Buffer | undefined {
  if (!alphabet.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}

export function encodeJson(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
