const alphabet = /^[A-Za-z0-9_-]*$/

/** Returns undefined unless the text is the canonical encoding of its bytes: no padding, no other characters, no unused bits. */
export function decodeBase64url(text: string): Buffer | undefined {
  if (!alphabet.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}

export function encodeJson(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
