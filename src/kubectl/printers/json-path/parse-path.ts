import type { Filter, JsonPathOperand, JsonPathStep, Path } from './syntax.js'

export interface Cursor {
  readonly text: string
  at: number
}

/** Parses a path up to the first character that does not belong to it. */
export function parsePath(cursor: Cursor): Path {
  const start = cursor.at
  const [first] = cursor.text.slice(cursor.at)
  const fromRoot = first === '$'
  if (first === '$' || first === '@') cursor.at++
  const steps: JsonPathStep[] = []
  for (let step = stepAt(cursor); step; step = stepAt(cursor)) steps.push(...step)
  if (cursor.at === start) throw new Error(`unrecognized character in action: ${unicode(first ?? '')}`)
  return { fromRoot, steps }
}

function unicode(character: string): string {
  const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
  return code === undefined ? 'EOF' : `U+${code} '${character}'`
}

function stepAt(cursor: Cursor): readonly JsonPathStep[] | undefined {
  const rest = cursor.text.slice(cursor.at)
  if (rest.startsWith('..')) {
    cursor.at += 2
    return [{ is: 'deep' }, ...nameAt(cursor)]
  }
  if (rest.startsWith('.')) {
    cursor.at++
    return nameAt(cursor)
  }
  if (rest.startsWith('*')) {
    cursor.at++
    return [{ is: 'all' }]
  }
  if (rest.startsWith('[')) return [bracketAt(cursor)]
  return undefined
}

/** Parses a name, in which a backslash escapes characters. */
function nameAt(cursor: Cursor): readonly JsonPathStep[] {
  const [raw] = /^(?:\\.|[^\s.[\]{}(),|=!<>"'@$&*+\\?])*/.exec(cursor.text.slice(cursor.at))!
  if (raw !== '') {
    cursor.at += raw.length
    return [{ is: 'field', name: raw.replace(/\\(.)/g, '$1') }]
  }
  if (cursor.text[cursor.at] !== '*') return []
  cursor.at++
  return [{ is: 'all' }]
}

function bracketAt(cursor: Cursor): JsonPathStep {
  const close = closing(cursor)
  const inside = cursor.text.slice(cursor.at + 1, close).trim()
  cursor.at = close + 1
  if (inside.startsWith('?(') && inside.endsWith(')')) return { is: 'filter', filter: parseFilter(inside.slice(2, -1)) }
  if (inside === '*') return { is: 'all' }
  return simpleBracket(inside) ?? union(inside)
}

function simpleBracket(inside: string): JsonPathStep | undefined {
  const quoted = /^'((?:[^'\\]|\\.)*)'$|^"((?:[^"\\]|\\.)*)"$/.exec(inside)
  if (quoted) return { is: 'field', name: (quoted[1] ?? quoted[2] ?? '').replace(/\\(.)/g, '$1') }
  if (/^-?\d+$/.test(inside)) return { is: 'index', index: Number(inside) }
  const slice = /^(-?\d*)(?::(-?\d*))?(?::(-?\d*))?$/.exec(inside)
  if (!slice || inside === '') return undefined
  const [from, to, by] = slice.slice(1).map((part) => (part === undefined || part === '' ? undefined : Number(part)))
  return { is: 'slice', from, to, by }
}

function union(inside: string): JsonPathStep {
  const parts = inside.split(',').map((part) => part.trim())
  if (parts.length < 2) throw new Error(`invalid array index ${inside}`)
  const paths = parts.map((part): Path => {
    const step = simpleBracket(part)
    if (!step) throw new Error(`invalid array index ${part}`)
    return { fromRoot: false, steps: [step] }
  })
  return { is: 'union', paths }
}

/** Returns the index of the closing bracket, ignoring quoted text. */
function closing({ text, at }: Cursor): number {
  let depth = 0
  for (const { 0: token, index } of text.slice(at).matchAll(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[[\]]/g)) {
    if (token === '[') depth++
    if (token === ']' && --depth === 0) return at + index
  }
  throw new Error('unterminated array')
}

function parseFilter(text: string): Filter {
  const [, left = '', operator, right] =
    /^((?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^=!<>"'])*)(==|!=|<=|>=|<|>)?([\s\S]*)$/.exec(text)!
  if (operator === undefined) return { left: operand(text), operator: 'exists' }
  return { left: operand(left), operator: operator as Filter['operator'], right: operand(right ?? '') }
}

function operand(given: string): JsonPathOperand {
  const text = given.trim()
  const quoted = /^'((?:[^'\\]|\\.)*)'$|^"((?:[^"\\]|\\.)*)"$/.exec(text)
  if (quoted) return { literal: (quoted[1] ?? quoted[2] ?? '').replace(/\\(.)/g, '$1') }
  if (/^-?\d+(\.\d+)?$/.test(text)) return { literal: Number(text) }
  if (text === 'true' || text === 'false') return { literal: text === 'true' }
  const cursor: Cursor = { text, at: 0 }
  const path = parsePath(cursor)
  if (cursor.at < text.length) throw new Error(`unrecognized character in action: ${unicode(text[cursor.at]!)}`)
  return { path }
}
