/** What a label selector consists of. Everything else is an identifier: a key or a value. */
const signs = [')', ',', '!', '==', '=', '>', '<', '!=', '('] as const
const words = ['in', 'notin'] as const

export type Sign = (typeof signs)[number] | (typeof words)[number]
export type TokenKind = Sign | 'identifier' | 'end'

export interface SelectorToken {
  readonly kind: TokenKind
  /** As written; empty at the end. */
  readonly text: string
}

const isSign: ReadonlySet<string> = new Set(signs)
const isWord: ReadonlySet<string> = new Set(words)
const space = new Set(' \t\r\n')
const special = new Set('=!(),><')

/** The tokens of a selector; the last one, and only that, is its end. */
export function tokens(selector: string): SelectorToken[] {
  const found: SelectorToken[] = []
  let position = 0
  for (;;) {
    while (space.has(selector[position]!)) position++
    const token = tokenAt(selector, position)
    found.push(token)
    if (token.kind === 'end') return found
    position += token.text.length
  }
}

function tokenAt(selector: string, start: number): SelectorToken {
  const character = selector[start]
  if (character === undefined) return { kind: 'end', text: '' }
  return special.has(character) ? signAt(selector, start) : wordAt(selector, start)
}

/** Two characters if they are a sign together. */
function signAt(selector: string, start: number): SelectorToken {
  const pair = selector.slice(start, start + 2)
  const text = isSign.has(pair) ? pair : selector[start]!
  return { kind: text as Sign, text }
}

function wordAt(selector: string, start: number): SelectorToken {
  let end = start
  while (end < selector.length && !endsWord(selector[end]!)) end++
  const text = selector.slice(start, end)
  return { kind: isWord.has(text) ? (text as Sign) : 'identifier', text }
}

function endsWord(character: string): boolean {
  return space.has(character) || special.has(character)
}
