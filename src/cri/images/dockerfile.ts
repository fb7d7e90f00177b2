/** One line of a Dockerfile, with what it continues on. */
export interface Instruction {
  /** In capitals. */
  readonly keyword: string
  /** `--chown=…` and the like. */
  readonly flags: Readonly<Record<string, string>>
  /** What stands after keyword and flags. */
  readonly text: string
  readonly line: number
}

/** The file says something that cannot be done here, or that nobody could do. */
export class DockerfileError extends Error {
  override name = 'DockerfileError'

  constructor(line: number, problem: string) {
    super(`line ${line}: ${problem}`)
  }
}

export function parseDockerfile(text: string): Instruction[] {
  return logicalLines(text).map(({ line, text }) => {
    const match = /^([A-Za-z]+)((?:\s+--[a-z-]+(?:=\S*)?)*)\s*(.*)$/s.exec(text)
    if (!match) throw new DockerfileError(line, `this is no instruction: ${text}`)
    const [, keyword = '', flags = '', rest = ''] = match
    const named = [...flags.matchAll(/--([a-z-]+)=?(\S*)/g)].map(([, name = '', value = '']) => [name, value])
    return { keyword: keyword.toUpperCase(), flags: Object.fromEntries(named), text: rest.trim(), line }
  })
}

/** A line that ends in a backslash goes on in the next; comments and empty lines count for nothing, there as elsewhere. */
function logicalLines(text: string): { text: string; line: number }[] {
  const lines: { text: string; line: number }[] = []
  let open: { text: string; line: number } | undefined
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue
    const continues = /\\\s*$/.test(line)
    const part = line.replace(/\\\s*$/, '')
    open = open ? { ...open, text: `${open.text} ${part.trim()}` } : { text: part.trim(), line: index + 1 }
    if (continues) continue
    lines.push(open)
    open = undefined
  }
  return open ? [...lines, open] : lines
}

/** `["a", "b"]` as a list; anything else is a command for a shell. */
export function commandOf({ text }: Instruction): string[] {
  return listOf(text) ?? ['/bin/sh', '-c', text]
}

export function listOf(text: string): string[] | undefined {
  if (!text.startsWith('[')) return undefined
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) && list.every((item) => typeof item === 'string') ? list : undefined
  } catch {
    return undefined
  }
}

/** `A=1 B="two words"`, or the old form `A one two`. */
export function assignmentsOf({ text, line }: Instruction): [string, string][] {
  const pairs = [...text.matchAll(/([^\s=]+)=("(?:\\.|[^"])*"|'[^']*'|(?:\\.|\S)*)\s*/g)]
  if (pairs.map(([all]) => all).join('') === text && pairs.length > 0)
    return pairs.map(([, name = '', value = '']) => [unquoted(name), unquoted(value)])
  const old = /^([^\s=]+)\s+(.+)$/s.exec(text)
  if (!old) throw new DockerfileError(line, `this assigns nothing: ${text}`)
  return [[old[1]!, old[2]!]]
}

function unquoted(value: string): string {
  if (value.startsWith("'")) return value.slice(1, -1)
  return (value.startsWith('"') ? value.slice(1, -1) : value).replace(/\\(.)/gs, '$1')
}

/** `$NAME`, `${NAME}`, `${NAME:-otherwise}`. What is not known is empty; a dollar after a backslash is a dollar. */
export function substituted(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\\\$|\$\w+|\$\{\w+(?::-[^}]*)?\}/g, (found) => {
    if (found.startsWith('\\')) return '$'
    const [name = '', otherwise = ''] = found.replace(/^\$\{?|\}$/g, '').split(/:-(.*)/s)
    return values[name] || otherwise
  })
}
