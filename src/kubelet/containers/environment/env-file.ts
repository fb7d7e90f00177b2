/**
 * Returns one variable of a file with `NAME='value'` lines (`fileKeyRef`), or undefined. Values are in single quotes, may span lines and
 * are taken literally. Empty lines and comments are ignored. Everything up to the variable must be well-formed; the rest is not read.
 */
export function envFileValue(text: string, name: string): string | undefined {
  const lines = text.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!.replace(/^[ \t]+/, '')
    if (line === '' || line.startsWith('#')) continue
    const assignment = assignmentAt(line, at + 1)
    const read = assignment.isEmpty ? { value: '', end: at } : quotedValue(lines, at, assignment.rest)
    if (assignment.name === name) return read.value
    at = read.end
  }
  return undefined
}

interface Assignment {
  readonly name: string
  readonly rest: string
  /** `NAME= 'value'` sets an empty value, as in a shell. */
  readonly isEmpty: boolean
}

function assignmentAt(line: string, number: number): Assignment {
  const equals = line.indexOf('=')
  const name = line.slice(0, Math.max(equals, 0))
  if (equals < 0) throw wrong(number, `missing '='`)
  if (name.trim() === '') throw wrong(number, 'empty variable name')
  if (/[ \t]$/.test(name)) throw wrong(number, `whitespace before '=' is not allowed`)
  const rest = line.slice(equals + 1)
  const isEmpty = /^[ \t]/.test(rest)
  if (!isEmpty && !rest.startsWith("'")) throw wrong(number, 'value must be enclosed in single quotes')
  return { name, rest: rest.slice(1), isEmpty }
}

/** Reads a value from after its opening quote, over several lines if necessary. */
function quotedValue(
  lines: readonly string[],
  start: number,
  first: string,
): { readonly value: string; readonly end: number } {
  const parts: string[] = []
  for (let end = start; end < lines.length; end++) {
    const rest = end === start ? first : lines[end]!
    const quote = rest.indexOf("'")
    parts.push(quote < 0 ? rest : rest.slice(0, quote))
    if (quote < 0) continue
    if (!/^[ \t]*(#.*)?$/.test(rest.slice(quote + 1))) throw wrong(end + 1, 'unexpected content after closing quote')
    return { value: parts.join('\n'), end }
  }
  throw new Error(`invalid environment variable format starting at line ${start + 1}: unclosed single quote`)
}

function wrong(line: number, what: string): Error {
  return new Error(`invalid environment variable format at line ${line}: ${what}`)
}
