import { DockerfileError } from './dockerfile-error.js'

/** The character that continues a line and escapes the next character. */
export type EscapeCharacter = '\\' | '`'

/** A here-document: `<<EOF`, and the lines up to `EOF`. */
export interface Heredoc {
  readonly name: string
  /** Whether its variables are replaced; false if the name is quoted. */
  readonly expands: boolean
  readonly content: string
}

/** An instruction with its continuation lines joined, without comments. */
export interface LogicalLine {
  /** The number of its first line, from 1. */
  readonly line: number
  readonly text: string
  readonly heredocs: readonly Heredoc[]
}

export interface DockerfileText {
  readonly escapeCharacter: EscapeCharacter
  readonly lines: readonly LogicalLine[]
}

const directivePattern = /^#\s*([A-Za-z][A-Za-z0-9]*)\s*=\s*(.*?)\s*$/
const heredocInstruction = /^\s*(?:ADD|COPY|RUN)\s/i
const heredocPattern = /(?:^|\s)\d*<<(-?)(?:(["'])([^"'\s<]+)\2|([^"'\s<]+))(?=\s|$)/g

/** Splits a Dockerfile into instructions. */
export function logicalLines(text: string): DockerfileText {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  const escapeCharacter = escapeDirective(lines)
  return { escapeCharacter, lines: new LineReader(lines, escapeCharacter).all() }
}

/** Finds the directive `escape`, a comment of the form `# name=value` at the start of the file. Other directives are for BuildKit only. */
function escapeDirective(lines: readonly string[]): EscapeCharacter {
  let found: EscapeCharacter | undefined
  for (const [index, text] of lines.entries()) {
    const [, name, value] = directivePattern.exec(text.trim()) ?? []
    if (name === undefined) break
    if (name.toLowerCase() !== 'escape') continue
    if (found) throw new DockerfileError(index + 1, 'the directive "escape" is given twice')
    if (value !== '\\' && value !== '`')
      throw new DockerfileError(index + 1, `the directive "escape" must be \\ or \`: ${value}`)
    found = value
  }
  return found ?? '\\'
}

class LineReader {
  readonly #lines: readonly string[]
  readonly #continuation: RegExp
  #at = 0

  constructor(lines: readonly string[], escapeCharacter: EscapeCharacter) {
    this.#lines = lines
    const quoted = escapeCharacter === '\\' ? '\\\\' : '`'
    // Two escape characters are a literal one, and do not continue the line.
    this.#continuation = new RegExp(`(^|[^${quoted}])${quoted}[ \\t]*$`)
  }

  all(): LogicalLine[] {
    const found: LogicalLine[] = []
    while (this.#at < this.#lines.length) {
      const line = this.#at + 1
      const first = this.#lines[this.#at++]!
      if (isSkipped(first)) continue
      const text = this.#joined(first.trimStart()).trimEnd()
      found.push({ line, text, heredocs: this.#heredocs(text, line) })
    }
    return found
  }

  /** Skips comments and empty lines between continuation lines. */
  #joined(first: string): string {
    let text = first
    while (this.#continuation.test(text)) {
      text = text.replace(this.#continuation, '$1')
      while (this.#at < this.#lines.length && isSkipped(this.#lines[this.#at]!)) this.#at++
      if (this.#at === this.#lines.length) break
      text += this.#lines[this.#at++]!
    }
    return text
  }

  #heredocs(text: string, line: number): Heredoc[] {
    if (!heredocInstruction.test(text)) return []
    return [...text.matchAll(heredocPattern)].map(([, dash, quote, quoted, plain]) => {
      const name = quoted ?? plain!
      return { name, expands: quote === undefined, content: this.#document(name, dash === '-', line) }
    })
  }

  /** `<<-` removes tabs at the start of each line. */
  #document(name: string, removesTabs: boolean, line: number): string {
    const content: string[] = []
    while (this.#at < this.#lines.length) {
      const next = this.#lines[this.#at++]!
      const text = removesTabs ? next.replace(/^\t+/, '') : next
      if (text === name) return content.map((each) => `${each}\n`).join('')
      content.push(text)
    }
    throw new DockerfileError(line, `the document <<${name} has no end; a line with only ${name} ends it`)
  }
}

function isSkipped(line: string): boolean {
  return /^\s*(#|$)/.test(line)
}
