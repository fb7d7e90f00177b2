/** The position of a scalar in the output. */
interface ScalarPosition {
  /** The indentation of continuation lines. */
  readonly indent: number
  /** The number of characters before it on its line. */
  readonly column: number
  /** A key must stay on one line. */
  readonly isKey: boolean
}

/** Lines are folded at the first space after this column. */
const bestWidth = 80

export function scalarText(text: string, place: ScalarPosition): string {
  const facts = scalarFacts(text)
  const style = styleOf(text, facts, place)
  if (style === 'literal') return literal(text, place)
  if (style === 'plain') return folded(text, place)
  return style === 'single' ? singleQuoted(text, place) : doubleQuoted(text, place)
}

function styleOf(
  text: string,
  facts: ScalarFacts,
  { isKey }: ScalarPosition,
): 'plain' | 'single' | 'double' | 'literal' {
  if (text.includes('\n')) return facts.isBlockAllowed && !isKey ? 'literal' : 'double'
  if (isAmbiguous(text)) return 'double'
  if (facts.isPlainAllowed) return 'plain'
  return facts.isSingleQuotedAllowed ? 'single' : 'double'
}

function literal(text: string, { indent }: ScalarPosition): string {
  const hint = /^[ \n]/.test(text) ? '2' : ''
  const chomping = !text.endsWith('\n') ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : ''
  const lines = (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n')
  return `|${hint}${chomping}\n${lines.map((line) => (line === '' ? '' : ' '.repeat(indent) + line)).join('\n')}`
}

function folded(text: string, place: ScalarPosition): string {
  return spread([...text], place, (character) => character)
}

function singleQuoted(text: string, place: ScalarPosition): string {
  const body = spread([...text], { ...place, column: place.column + 1 }, (each) => (each === "'" ? "''" : each))
  return `'${body}'`
}

/** Folds a text at single spaces once a line is long enough. */
function spread(
  characters: readonly string[],
  { indent, column, isKey }: ScalarPosition,
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

function doubleQuoted(text: string, { indent, column, isKey }: ScalarPosition): string {
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

const words =
  /^(?:y|Y|yes|Yes|YES|on|On|ON|n|N|no|No|NO|off|Off|OFF|true|True|TRUE|false|False|FALSE|~|null|Null|NULL|\.nan|\.NaN|\.NAN|[-+]?\.(?:inf|Inf|INF))$/
const decimalNumber = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/
const otherNumber = /^[-+]?0(?:[xX][0-9a-fA-F]+|[oO][0-7]+|[bB][01]+)$/
const hexFloat = /^[-+]?0[xX][0-9a-fA-F]*\.?[0-9a-fA-F]*[pP][-+]?[0-9]+$/
const sexagesimal = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/
const day = /^\d{4}-\d{1,2}-\d{1,2}$/
const moment = /^\d{4}-\d{1,2}-\d{1,2}(?:[Tt ]\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d*)?)(?:Z|[-+]\d\d:\d\d)?$/

/** Whether a plain text would be parsed as a number, boolean, time or null. */
function isAmbiguous(text: string): boolean {
  if (text === '' || words.test(text) || sexagesimal.test(text) || day.test(text) || moment.test(text)) return true
  const plain = /^[-+.0-9]/.test(text) ? text.replaceAll('_', '') : text
  return decimalNumber.test(plain) || otherNumber.test(plain) || hexFloat.test(plain)
}

/** Properties of a text that decide which styles can represent it. */
interface ScalarFacts {
  readonly isPlainAllowed: boolean
  readonly isSingleQuotedAllowed: boolean
  readonly isBlockAllowed: boolean
  readonly hasBreaks: boolean
}

const isBreak = (character: string | undefined) => character !== undefined && /[\r\n\u0085\u2028\u2029]/.test(character)
const isBlankOrEnd = (character: string | undefined) =>
  character === undefined || /[ \t\r\n\u0085\u2028\u2029]/.test(character)

/** Whether it is a printable character of the basic plane. */
function isPlainCharacter(character: string): boolean {
  return /^[\n\x20-\x7e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]$/.test(character)
}

function scalarFacts(text: string): ScalarFacts {
  const characters = [...text]
  const isSpecial = characters.some((character) => !isPlainCharacter(character))
  const first = characters[0]
  const last = characters.at(-1)
  const spaceBreak = /[ ][\r\n\u0085\u2028\u2029]/.test(text)
  const breakSpace = /[\r\n\u0085\u2028\u2029] /.test(text)
  const hasBreaks = characters.some(isBreak)
  const hasEdge = [first, last].some((character) => character === ' ' || isBreak(character))
  const isUgly = spaceBreak || isSpecial
  return {
    isPlainAllowed: !(hasEdge || breakSpace || isUgly || hasBreaks || hasIndicators(characters)),
    isSingleQuotedAllowed: !(breakSpace || isUgly),
    isBlockAllowed: !(isUgly || last === ' '),
    hasBreaks,
  }
}

const startIndicators = '#,[]{}&*!|>\'"%@`'

/** Whether characters have a special meaning at their position. */
function hasIndicators(characters: readonly string[]): boolean {
  const start = characters.slice(0, 3).join('')
  if (start === '---' || start === '...') return true
  return characters.some((character, index) => {
    const isFollowed = isBlankOrEnd(characters[index + 1])
    if (index === 0) return startIndicators.includes(character) || ('?:-'.includes(character) && isFollowed)
    if (character === ':') return isFollowed
    return character === '#' && isBlankOrEnd(characters[index - 1])
  })
}
