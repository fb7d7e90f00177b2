import type { Pipe, TemplateCommand, TemplateOperand } from './syntax.js'

/** Parses the content of an action: variables, commands and operands. */
export class PipeReader {
  readonly #tokens: readonly string[]
  #at = 0

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens
  }

  pipe(): Pipe {
    const { variables, isDeclaration } = this.#variables()
    const commands = [this.#command()]
    while (this.#peek() === '|') {
      this.#at++
      commands.push(this.#command())
    }
    if (commands.some((command) => command.length === 0)) throw new Error('missing value for command')
    return { variables, isDeclaration, commands }
  }

  expectEnd(): void {
    if (this.#peek() !== undefined) throw new Error(`unexpected ${JSON.stringify(this.#peek())} in command`)
  }

  /** The next token that is not a space. */
  #peek(): string | undefined {
    while (this.#tokens[this.#at] === ' ') this.#at++
    return this.#tokens[this.#at]
  }

  /** `$x := `, `$i, $x := ` */
  #variables(): Pick<Pipe, 'variables' | 'isDeclaration'> {
    const words = this.#tokens.slice(this.#at).filter((token) => token !== ' ')
    const sign = words.findIndex((token) => token === ':=' || token === '=')
    const names = words.slice(0, Math.max(sign, 0)).filter((token) => token !== ',')
    if (sign < 1 || !names.every((name) => name.startsWith('$'))) return { variables: [], isDeclaration: false }
    const isDeclaration = words[sign] === ':='
    while (this.#tokens[this.#at] !== words[sign]) this.#at++
    this.#at++
    return { variables: names, isDeclaration }
  }

  #command(): TemplateCommand {
    const operands: TemplateOperand[] = []
    for (;;) {
      const token = this.#peek()
      if (token === undefined || token === '|' || token === ')') return operands
      operands.push(this.#operand(token))
    }
  }

  #operand(token: string): TemplateOperand {
    this.#at++
    if (token === '(') return this.#inBrackets()
    return literal(token) ?? reference(token)
  }

  #inBrackets(): TemplateOperand {
    const pipe = this.pipe()
    if (this.#peek() !== ')') throw new Error('unclosed left paren')
    this.#at++
    const next = this.#tokens[this.#at] ?? ''
    if (!next.startsWith('.') || next === '.') return { is: 'pipe', pipe, fields: [] }
    this.#at++
    return { is: 'pipe', pipe, fields: next.split('.').slice(1) }
  }
}

function literal(token: string): TemplateOperand | undefined {
  if (token === 'true' || token === 'false') return { is: 'literal', value: token === 'true' }
  if (token === 'nil') return { is: 'literal', value: null }
  if (token.startsWith('"')) return { is: 'literal', value: unquoted(token) }
  if (token.startsWith('`')) return { is: 'literal', value: token.slice(1, -1) }
  if (token.startsWith("'")) return { is: 'literal', value: unquoted(`"${token.slice(1, -1)}"`).codePointAt(0) ?? 0 }
  return /^[-+]?\.?\d/.test(token) ? { is: 'literal', value: Number(token.replaceAll('_', '')) } : undefined
}

function unquoted(token: string): string {
  const escaped = token
    .replace(/\\a/g, '\\u0007')
    .replace(/\\v/g, '\\u000b')
    .replace(/\\x([0-9a-f]{2})/gi, '\\u00$1')
  return JSON.parse(escaped.replaceAll('\t', '\\t')) as string
}

function reference(token: string): TemplateOperand {
  if (token === '.') return { is: 'dot' }
  if (token.startsWith('$')) {
    const [name = '', ...fields] = token.split('.')
    return { is: 'variable', name, fields }
  }
  if (token.startsWith('.')) return { is: 'field', fields: token.split('.').slice(1) }
  if (/^[\p{L}_]/u.test(token)) return { is: 'function', name: token }
  throw new Error(`unexpected ${JSON.stringify(token)} in operand`)
}
