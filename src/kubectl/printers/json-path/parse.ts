import { type Cursor, parsePath } from './parse-path.js'
import type { JsonPathNode } from './syntax.js'

/** Parses a template: text with paths, quoted text and ranges in braces. Throws if it is invalid. */
export function parseJsonPathTemplate(template: string): readonly JsonPathNode[] {
  const cursor: Cursor = { text: template, at: 0 }
  const nodes = nodesUntilEnd(cursor, false)
  return nodes
}

function nodesUntilEnd(cursor: Cursor, isInRange: boolean): readonly JsonPathNode[] {
  const nodes: JsonPathNode[] = []
  while (cursor.at < cursor.text.length) {
    const open = cursor.text.indexOf('{', cursor.at)
    const end = open === -1 ? cursor.text.length : open
    if (end > cursor.at) nodes.push({ is: 'text', text: cursor.text.slice(cursor.at, end) })
    cursor.at = end
    if (open === -1) break
    cursor.at++
    if (action(cursor, nodes) === 'end') {
      if (!isInRange) throw new Error('not in range, nothing to end')
      return nodes
    }
  }
  if (isInRange) throw new Error('unexpected end of range') // a range lasts to its end
  return nodes
}

/** Parses an action after its opening brace. */
function action(cursor: Cursor, nodes: JsonPathNode[]): 'end' | 'more' {
  for (;;) {
    skipSpace(cursor)
    const rest = cursor.text.slice(cursor.at)
    if (rest === '') throw new Error('unclosed action')
    if (rest.startsWith('}')) {
      cursor.at++
      return 'more'
    }
    const keyword = /^(range|end)(?=[\s}.$@[])/.exec(rest)?.[1]
    if (keyword === 'end') {
      cursor.at = cursor.text.indexOf('}', cursor.at) + 1
      return 'end'
    }
    if (keyword === 'range') {
      cursor.at += keyword.length
      nodes.push(range(cursor))
      return 'more'
    }
    nodes.push(textIn(cursor) ?? { is: 'path', path: parsePath(cursor) })
  }
}

function range(cursor: Cursor): JsonPathNode {
  skipSpace(cursor)
  const path = parsePath(cursor)
  skipSpace(cursor)
  if (cursor.text[cursor.at] !== '}') throw new Error('unclosed action')
  cursor.at++
  return { is: 'range', path, body: nodesUntilEnd(cursor, true) }
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '\\': '\\',
  '"': '"',
  "'": "'",
  a: '\x07',
}

/** `"\n"` */
function textIn(cursor: Cursor): JsonPathNode | undefined {
  const [quote] = cursor.text.slice(cursor.at)
  if (quote !== '"' && quote !== "'") return undefined
  let text = ''
  for (let at = cursor.at + 1; at < cursor.text.length; at++) {
    const character = cursor.text[at]!
    if (character === quote) {
      cursor.at = at + 1
      return { is: 'text', text }
    }
    if (character !== '\\') text += character
    else {
      at++
      text += escapes[cursor.text[at] ?? ''] ?? `\\${cursor.text[at]}`
    }
  }
  throw new Error('unterminated quoted string')
}

function skipSpace(cursor: Cursor): void {
  while (/\s/.test(cursor.text[cursor.at] ?? '')) cursor.at++
}
