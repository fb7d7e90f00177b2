/** Facts about a JSON text that show whether the built-in parser lost information. */
export interface JsonScan {
  /** The number of `key: value` pairs, including duplicates. */
  readonly members: number
  /** The maximum nesting of objects and arrays. */
  readonly depth: number
  /** Whether a number has an exponent, which the parser does not preserve. */
  readonly exponents: boolean
}

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d
const lowerE = 0x65
const upperE = 0x45

/**
 * Counts without parsing. `JSON.parse` silently keeps the last of several equal keys: if a text has more members than the parsed value
 * has keys, a key is a duplicate. The counts are only meaningful for valid JSON.
 */
export function scanJson(bytes: Uint8Array): JsonScan {
  let members = 0
  let depth = 0
  let deepest = 0
  let exponents = false
  for (let i = 0; i < bytes.length; i++) {
    switch (bytes[i]) {
      case quote:
        i = endOfString(bytes, i + 1)
        break
      case colon:
        members++
        break
      case openBrace:
      case openBracket:
        deepest = Math.max(deepest, ++depth)
        break
      case closeBrace:
      case closeBracket:
        depth--
        break
      case lowerE:
      case upperE:
        exponents ||= isDigit(bytes[i - 1])
        break
    }
  }
  return { members, depth: deepest, exponents }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39
}

/** The index of the quote that ends the string whose content begins at `start`. */
function endOfString(bytes: Uint8Array, start: number): number {
  let i = start
  while (i < bytes.length && bytes[i] !== quote) i += bytes[i] === backslash ? 2 : 1
  return i
}
