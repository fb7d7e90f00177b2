/**
 * Quotes text in messages like Go's `strconv.Quote`: printable characters do not change, all others are escaped.
 */

/** Characters that need no escape. Nearly every quoted text has no others. */
const plain = /^[ !#-[\]-~]*$/
const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
])

export function quote(text: string): string {
  if (plain.test(text)) return `"${text}"`
  let quoted = '"'
  for (const character of text) quoted += shortEscapes.get(character) ?? escaped(character)
  return `${quoted}"`
}

/** Created on first use: compiling it takes a millisecond, and few programs need it. */
let printable: RegExp | undefined

/** Whether a character is printable: letters, marks, numbers, punctuation, symbols and the ordinary space. */
export function isPrintable(character: string): boolean {
  printable ??= /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u
  return printable.test(character)
}

function escaped(character: string): string {
  if (isPrintable(character)) return character
  const code = character.codePointAt(0)!
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd' // an unpaired surrogate
  if (code < 0x80) return `\\x${hex(code, 2)}`
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`
}

function hex(code: number, width: number): string {
  return code.toString(16).padStart(width, '0')
}

/** Quotes text for errors about times, which escape every byte that is not ASCII: `"\xc3\xa9"`. */
export function quoteBytes(text: string): string {
  let quoted = '"'
  for (const character of text) {
    if (character === '"' || character === '\\') quoted += `\\${character}`
    else if (character < ' ' || character > '\x7f')
      for (const byte of Buffer.from(character)) quoted += `\\x${hex(byte, 2)}`
    else quoted += character
  }
  return `${quoted}"`
}
