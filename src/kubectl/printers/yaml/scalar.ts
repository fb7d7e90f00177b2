import { isAmbiguous } from './ambiguous.js'
import { isPlainCharacter, type ScalarFacts, scalarFacts } from './scalar-facts.js'

/** Where a text stands while it is written. */
export interface Place {
  /** Of the lines that follow the first one. */
  readonly indent: number
  /** How many characters stand before it on its line. */
  readonly column: number
  /** A key cannot be spread over lines. */
  readonly isKey: boolean
}

/** Beyond this column a line is broken at the next space. */
const bestWidth = 80

export function scalarText(text: string, place: Place): string {
  const facts = scalarFacts(text)
  const style = styleOf(text, facts, place)
  if (style === 'literal') return literal(text, place)
  if (style === 'plain') return folded(text, place)
  return style === 'single' ? singleQuoted(text, place) : doubleQuoted(text, place)
}

function styleOf(text: string, facts: ScalarFacts, { isKey }: Place): 'plain' | 'single' | 'double' | 'literal' {
  if (text.includes('\n')) return facts.isBlockAllowed && !isKey ? 'literal' : 'double'
  if (isAmbiguous(text)) return 'double'
  if (facts.isPlainAllowed) return 'plain'
  return facts.isSingleQuotedAllowed ? 'single' : 'double'
}

function literal(text: string, { indent }: Place): string {
  const hint = /^[ \n]/.test(text) ? '2' : ''
  const chomping = !text.endsWith('\n') ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : ''
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
  return `|${hint}${chomping}\n${lines.map((line) => (line === '' ? '' : ' '.repeat(indent) + line)).join('\n')}`
}

function folded(text: string, place: Place): string {
  return spread([...text], place, (character) => character)
}

function singleQuoted(text: string, place: Place): string {
  const body = spread([...text], { ...place, column: place.column + 1 }, (each) => (each === "'" ? "''" : each))
  return `'${body}'`
}

/** Breaks at a single space between words, once the line is long enough. */
function spread(
  characters: readonly string[],
  { indent, column, isKey }: Place,
  write: (each: string) => string,
): string {
  let width = column
  let result = ''
  for (const [index, character] of characters.entries()) {
    const isInside = index > 0 && index < characters.length - 1
    const stands = character === ' ' && characters[index - 1] !== ' ' && characters[index + 1] !== ' '
    if (stands && isInside && !isKey && width > bestWidth) {
      result += `\n${' '.repeat(indent)}`
      width = indent
      continue
    }
    const written = write(character)
    result += written
    width += written.length
  }
  return result
}

const shortEscapes: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\x1b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
  '\u0085': '\\N',
  '\u00a0': '\\_',
  '\u2028': '\\L',
  '\u2029': '\\P',
}

function doubleQuoted(text: string, { indent, column, isKey }: Place): string {
  const characters = [...text]
  let width = column + 1
  let result = ''
  let wasSpace = false
  for (const [index, character] of characters.entries()) {
    const isInside = index > 0 && index < characters.length - 1
    if (character === ' ' && !isKey && !wasSpace && width > bestWidth && isInside) {
      const guard = characters[index + 1] === ' ' ? '\\' : ''
      result += `\n${' '.repeat(indent)}${guard}`
      width = indent + guard.length
    } else {
      const written = escaped(character)
      result += written
      width += written.length
    }
    wasSpace = character === ' '
  }
  return `"${result}"`
}

function escaped(character: string): string {
  const short = shortEscapes[character]
  if (short !== undefined) return short
  if (isPlainCharacter(character)) return character
  const code = character.codePointAt(0)!
  const hex = code.toString(16).toUpperCase()
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
}
