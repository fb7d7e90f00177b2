import { FieldPath } from '../../schema/field-path.js'
import { ValueError } from '../../schema/value-error.js'
import { keyErrors, type Operator, type Requirement, requirement } from './label-requirement.js'

/**
 * Parses a selector of a query or of `-l`: `app=shop,tier in (a,b),!old,size>3`. Throws `ValueError` at the first unexpected token.
 */
export function parseRequirements(selector: string): Requirement[] {
  const parser = new Parser(tokens(selector))
  const requirements: Requirement[] = []
  for (;;) {
    const { kind, text } = parser.next()
    if (kind === 'end') return requirements
    if (kind !== 'identifier' && kind !== '!') throw found(text, ", expected: !, identifier, or 'end of string'")
    requirements.push(parser.requirement())
    if (parser.endOfRequirement()) return requirements
  }
}

function found(text: string, expected: string): ValueError {
  return new ValueError(`found '${text}'${expected}`)
}

const binaryOperators: ReadonlyMap<TokenKind, Operator> = new Map<TokenKind, Operator>([
  ['in', 'in'],
  ['notin', 'notin'],
  ['=', '='],
  ['==', '=='],
  ['!=', '!='],
  ['>', 'gt'],
  ['<', 'lt'],
])

class Parser {
  readonly #tokens: readonly SelectorToken[]
  #position = 0

  constructor(all: readonly SelectorToken[]) {
    this.#tokens = all
  }

  /** The next token. Where an operator is not possible, `in` and `notin` are ordinary names. */
  next(): SelectorToken {
    const token = this.#tokens[this.#position]!
    return token.kind === 'in' || token.kind === 'notin' ? { ...token, kind: 'identifier' } : token
  }

  #take(): SelectorToken {
    const token = this.next()
    this.#position++
    return token
  }

  requirement(): Requirement {
    try {
      return this.#requirement()
    } catch (error) {
      if (!(error instanceof ValueError)) throw error
      throw new ValueError(`unable to parse requirement: ${error.message}`)
    }
  }

  #requirement(): Requirement {
    const isNegated = this.next().kind === '!'
    if (isNegated) this.#position++
    const key = this.#key()
    const { kind } = this.next()
    if (kind === 'end' || kind === ',') return requirement(key, isNegated ? '!' : 'exists', [])
    if (isNegated) return requirement(key, '!', [])
    const operator = this.#operator()
    const values = operator === 'in' || operator === 'notin' ? this.#valueSet() : this.#exactValue()
    return requirement(key, operator, [...new Set(values)].sort())
  }

  #key(): string {
    const { kind, text } = this.#take()
    if (kind !== 'identifier') throw found(text, ', expected: identifier')
    const [problem] = keyErrors(FieldPath.none, text)
    if (problem) throw new ValueError(String(problem))
    return text
  }

  #operator(): Operator {
    const { kind, text } = this.#tokens[this.#position++]!
    const operator = binaryOperators.get(kind)
    if (!operator) throw found(text, `, expected: ${[...binaryOperators.values()].join(', ')}`)
    return operator
  }

  /** An absent value is the empty value. */
  #exactValue(): string[] {
    const { kind, text } = this.next()
    if (kind === 'end' || kind === ',') return ['']
    this.#position++
    if (kind !== 'identifier') throw found(text, ', expected: identifier')
    return [text]
  }

  #valueSet(): string[] {
    const open = this.#take()
    if (open.kind !== '(') throw found(open.text, " expected: '('")
    const first = this.next()
    if (first.kind !== 'identifier' && first.kind !== ',' && first.kind !== ')')
      throw found(first.text, ", expected: ',', ')' or identifier")
    const values = first.kind === ')' ? [''] : this.#values()
    this.#position++
    return values
  }

  /** Parses up to the closing parenthesis. A missing value before, after or between commas is the empty value. */
  #values(): string[] {
    const values: string[] = []
    do {
      const { kind, text } = this.#take()
      if (kind === 'identifier') this.#mustGoOn()
      else if (kind !== ',') throw found(text, ", expected: ',', or identifier")
      if (kind === 'identifier') values.push(text)
      else if (values.length === 0 || this.next().kind === ',' || this.next().kind === ')') values.push('')
    } while (this.next().kind !== ')')
    return values
  }

  #mustGoOn(): void {
    const { kind, text } = this.next()
    if (kind !== ',' && kind !== ')') throw found(text, ", expected: ',' or ')'")
  }

  /** Whether the selector ends here; a comma means that it goes on. */
  endOfRequirement(): boolean {
    const { kind, text } = this.#take()
    if (kind === 'end') return true
    if (kind !== ',') throw found(text, ", expected: ',' or 'end of string'")
    const next = this.next()
    if (next.kind !== 'identifier' && next.kind !== '!') throw found(next.text, ", expected: identifier after ','")
    return false
  }
}

/** The special tokens. Everything else is an identifier: a key or a value. */
const signs = [')', ',', '!', '==', '=', '>', '<', '!=', '('] as const
const words = ['in', 'notin'] as const

type Sign = (typeof signs)[number] | (typeof words)[number]
type TokenKind = Sign | 'identifier' | 'end'

interface SelectorToken {
  readonly kind: TokenKind
  /** As written; empty at the end. */
  readonly text: string
}

const isSign: ReadonlySet<string> = new Set(signs)
const isWord: ReadonlySet<string> = new Set(words)
const space = new Set(' \t\r\n')
const special = new Set('=!(),><')

/** The tokens of a selector. The last one is its end. */
function tokens(selector: string): SelectorToken[] {
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

/** The longest special token at `start`. */
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
