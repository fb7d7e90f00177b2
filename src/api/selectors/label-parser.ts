import { FieldPath } from '../../schema/field-path.js'
import { ValueError } from '../../schema/value-error.js'
import { keyErrors, type Operator, type Requirement, requirement } from './label-requirement.js'
import { type SelectorToken, type TokenKind, tokens } from './label-tokens.js'

/**
 * The requirements of a selector as it is written in a query or after `-l`: `app=shop,tier in (a,b),!old,size>3`. Throws a
 * `ValueError` at the first token that does not fit.
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

  /** The token that comes next. Where no operator can stand, `in` and `notin` are names like any other. */
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

  /** Nothing at all is the empty value. */
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

  /** Up to the closing parenthesis. Between two commas, and before or after one that stands alone, is the empty value. */
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
