/** A line with its indentation and its text. */
interface Line {
  readonly indent: number
  readonly text: string
}

/**
 * Parses the plain YAML in which programs write kubeconfigs: block maps and lists, and scalars of one line. Returns undefined for anything
 * else, which the YAML library then parses: loading that takes longer than a request of kubectl.
 */
export function quickYaml(text: string): unknown {
  const lines = plainLines(text)
  if (!lines || lines.length === 0) return undefined
  try {
    const reader = new BlockReader(lines)
    const value = reader.block(lines[0]!.indent)
    return reader.isDone ? value : undefined
  } catch (error) {
    if (error instanceof NotPlain) return undefined
    throw error
  }
}

class NotPlain extends Error {}

/** Returns undefined if a line contains characters with a special meaning in YAML. */
function plainLines(text: string): readonly Line[] | undefined {
  const lines: Line[] = []
  for (const line of text.split('\n')) {
    const trimmed = line.trim()
    if (trimmed === '' || trimmed.startsWith('#')) continue
    if (trimmed === '---' || trimmed === '...' || line.includes('\t') || line.includes('\r')) return undefined
    lines.push({ indent: line.length - line.trimStart().length, text: trimmed })
  }
  return lines
}

const member = /^([A-Za-z][A-Za-z0-9_.-]*):(?: (.+))?$/

class BlockReader {
  readonly #lines: Line[]
  #at = 0

  constructor(lines: readonly Line[]) {
    this.#lines = [...lines]
  }

  get isDone(): boolean {
    return this.#at === this.#lines.length
  }

  block(indent: number): unknown {
    return this.#lines[this.#at]!.text.startsWith('- ') ? this.#list(indent) : this.#map(indent)
  }

  #list(indent: number): readonly unknown[] {
    const items: unknown[] = []
    for (let line = this.#here(indent); line?.text.startsWith('- '); line = this.#here(indent)) {
      const rest = line.text.slice(2)
      const text = rest.trimStart()
      if (member.test(text)) {
        // The text after the dash is the first line of a map, with the indentation of that text.
        const inner = indent + 2 + rest.length - text.length
        this.#lines[this.#at] = { indent: inner, text }
        items.push(this.#map(inner))
      } else {
        items.push(scalar(text))
        this.#at++
      }
    }
    return items
  }

  #map(indent: number): Readonly<Record<string, unknown>> {
    const found: Record<string, unknown> = {}
    for (let line = this.#here(indent); line && !line.text.startsWith('- '); line = this.#here(indent)) {
      const [, key, text] = member.exec(line.text) ?? []
      if (key === undefined || Object.hasOwn(found, key) || key === '__proto__' || isWord(key)) throw new NotPlain()
      this.#at++
      found[key] = text === undefined ? this.#nested(indent) : scalar(text)
    }
    return found
  }

  /** A list may have the indentation of its key; every other value has more. */
  #nested(indent: number): unknown {
    const next = this.#lines[this.#at]
    if (next && (next.indent > indent || (next.indent === indent && next.text.startsWith('- '))))
      return this.block(next.indent)
    return null
  }

  #here(indent: number): Line | undefined {
    const line = this.#lines[this.#at]
    if (line && line.indent > indent) throw new NotPlain()
    return line?.indent === indent ? line : undefined
  }
}

/** Words that are not strings in YAML. */
function isWord(text: string): boolean {
  return /^(?:y|n|yes|no|on|off|true|false|null|~)$/i.test(text)
}

function scalar(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true'
  if (text === '{}') return {}
  if (text === '[]') return []
  const [, quoted] = /^(?:"([^"\\]*)"|'[^']*')$/.exec(text) ?? []
  if (quoted !== undefined || /^'[^']*'$/.test(text)) return text.slice(1, -1)
  if (isWord(text) || !/^[A-Za-z/][A-Za-z0-9_./@+=-]*(?::[A-Za-z0-9_./@+=-]+)*$/.test(text)) throw new NotPlain()
  return text
}
