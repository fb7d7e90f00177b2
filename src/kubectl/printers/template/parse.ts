import { lex, type Piece } from './lex.js'
import { PipeReader } from './parse-pipe.js'
import type { Pipe, TemplateNode } from './syntax.js'

/** Parses a Go template. Throws if it is invalid. */
export function parseGoTemplate(template: string): readonly TemplateNode[] {
  const reader = new NodeReader(lex(template))
  const { nodes, end } = reader.nodes()
  if (end !== 'eof') throw new Error(`unexpected {{${end}}}`)
  return nodes
}

type End = 'eof' | 'end' | 'else' | 'else if' | 'else with'

interface Body {
  readonly nodes: readonly TemplateNode[]
  readonly end: End
  /** The condition of `else if`. */
  readonly pipe?: Pipe
}

class NodeReader {
  readonly #pieces: readonly Piece[]
  #at = 0

  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces
  }

  nodes(): Body {
    const nodes: TemplateNode[] = []
    while (this.#at < this.#pieces.length) {
      const piece = this.#pieces[this.#at++]!
      if ('text' in piece) {
        if (piece.text !== '') nodes.push({ is: 'text', text: piece.text })
        continue
      }
      const tokens = trimmed(piece.tokens)
      const end = endOf(tokens)
      if (end) return { nodes, ...end }
      nodes.push(this.#node(tokens))
    }
    return { nodes, end: 'eof' }
  }

  #node(tokens: readonly string[]): TemplateNode {
    const [word = '', ...rest] = tokens
    if (word === 'if' || word === 'with' || word === 'range') return this.#control(word, pipeOf(rest))
    if (word === 'define' || word === 'block') return this.#named(word, rest)
    if (word === 'template') return templateNode(rest)
    if (word === 'break' || word === 'continue') return { is: word }
    return { is: 'action', pipe: pipeOf(tokens) }
  }

  #control(is: 'if' | 'with' | 'range', pipe: Pipe): TemplateNode {
    const { nodes: body, end, pipe: next } = this.nodes()
    if (end === 'eof') throw new Error('unexpected EOF')
    if (end === 'end') return { is, pipe, body, otherwise: [] }
    if (end === 'else') {
      const { nodes: otherwise, end: last } = this.nodes()
      if (last !== 'end') throw new Error('expected end; found {{else}}')
      return { is, pipe, body, otherwise }
    }
    return { is, pipe, body, otherwise: [this.#control(end === 'else if' ? 'if' : 'with', next!)] }
  }

  #named(word: string, rest: readonly string[]): TemplateNode {
    const [name = '""'] = rest.filter((each) => each !== ' ')
    const { nodes: body } = this.nodes()
    const define: TemplateNode = { is: 'define', name: JSON.parse(name) as string, body }
    if (word === 'define') return define
    throw new Error('block is not supported: use define and template')
  }
}

function templateNode(rest: readonly string[]): TemplateNode {
  const [name = '""', ...more] = trimmed(rest)
  const pipe = trimmed(more)
  return { is: 'template', name: JSON.parse(name) as string, pipe: pipe.length === 0 ? undefined : pipeOf(pipe) }
}

function endOf(tokens: readonly string[]): { readonly end: End; readonly pipe?: Pipe } | undefined {
  const [first, , second] = tokens
  if (first === 'end') return { end: 'end' }
  if (first !== 'else') return undefined
  if (second === 'if' || second === 'with') return { end: `else ${second}`, pipe: pipeOf(tokens.slice(3)) }
  return { end: 'else' }
}

function pipeOf(tokens: readonly string[]): Pipe {
  const reader = new PipeReader(trimmed(tokens))
  const pipe = reader.pipe()
  reader.expectEnd()
  return pipe
}

function trimmed(tokens: readonly string[]): readonly string[] {
  const start = tokens.findIndex((token) => token !== ' ')
  const end = tokens.findLastIndex((token) => token !== ' ')
  return start === -1 ? [] : tokens.slice(start, end + 1)
}
