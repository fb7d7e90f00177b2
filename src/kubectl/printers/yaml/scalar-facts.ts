/** What of a text decides in which style it can be written. */
export interface ScalarFacts {
  readonly isPlainAllowed: boolean
  readonly isSingleQuotedAllowed: boolean
  readonly isBlockAllowed: boolean
  readonly hasBreaks: boolean
}

const isBreak = (character: string | undefined) => character !== undefined && /[\r\n\u0085\u2028\u2029]/.test(character)
const isBlankOrEnd = (character: string | undefined) =>
  character === undefined || /[ \t\r\n\u0085\u2028\u2029]/.test(character)

/** Neither a control character, nor beyond the basic plane. */
export function isPlainCharacter(character: string): boolean {
  return /^[\n\x20-\x7e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]$/.test(character)
}

export function scalarFacts(text: string): ScalarFacts {
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

/** Characters that mean something where they stand. */
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
