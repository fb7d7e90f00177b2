import { DockerfileError } from './dockerfile-error.js'
import type { EscapeCharacter, Heredoc, LogicalLine } from './lines.js'

/** One parsed instruction. Variables are not replaced yet. */
export interface Instruction {
  /** In upper case. */
  readonly keyword: string
  /** In file order. `--chown=…` is `['chown', '…']`; a flag without a value has `undefined`. */
  readonly flags: readonly (readonly [name: string, value: string | undefined])[]
  /** What follows the keyword and the flags. */
  readonly text: string
  readonly heredocs: readonly Heredoc[]
  readonly line: number
  readonly escapeCharacter: EscapeCharacter
}

export function parseInstruction({ text, line, heredocs }: LogicalLine, escapeCharacter: EscapeCharacter): Instruction {
  const match = /^([A-Za-z]+)(?:\s+(.*))?$/s.exec(text)
  if (!match) throw new DockerfileError(line, `this is not an instruction: ${text}`)
  const [, keyword = '', rest = ''] = match
  return { keyword: keyword.toUpperCase(), ...leadingFlags(rest, escapeCharacter), heredocs, line, escapeCharacter }
}

/** Splits off the flags at the start; `--` ends them. */
function leadingFlags(text: string, escapeCharacter: EscapeCharacter): Pick<Instruction, 'flags' | 'text'> {
  const flags: [string, string | undefined][] = []
  let rest = text
  for (;;) {
    const [word] = splitWords(rest, escapeCharacter, 1)
    if (word === undefined || !word.startsWith('--')) return { flags, text: rest }
    rest = rest.trimStart().slice(word.length).trimStart()
    if (word === '--') return { flags, text: rest }
    const [, name = '', value] = /^--([^=]*)(?:=(.*))?$/s.exec(word) ?? []
    flags.push([name, value === undefined ? undefined : unquoted(value)])
  }
}

function unquoted(value: string): string {
  return /^(["'])(.*)\1$/s.exec(value)?.[2] ?? value
}

/** Splits at white space that is neither quoted nor escaped. The words keep their quotes. */
export function splitWords(text: string, escapeCharacter: EscapeCharacter, limit = Number.POSITIVE_INFINITY): string[] {
  const words: string[] = []
  const quoted = escapeCharacter === '\\' ? '\\\\' : '`'
  const word = new RegExp(`(?:${quoted}.|"(?:${quoted}.|[^"])*"?|'[^']*'?|[^\\s])+`, 'gs')
  for (const [found] of text.matchAll(word)) {
    words.push(found)
    if (words.length === limit) break
  }
  return words
}

/** Parses `["a", "b"]`. Returns undefined for anything else, which is the shell form of an instruction. */
export function jsonList(text: string): string[] | undefined {
  if (!text.trimStart().startsWith('[')) return undefined
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) && list.every((item) => typeof item === 'string') ? list : undefined
  } catch {
    return undefined // Docker also treats it as the shell form
  }
}

/** Parses `NAME=value NAME="other value"`, or the old form `NAME rest of the line`. Names and values keep their quotes. */
export function namedValues({ keyword, text, line, escapeCharacter }: Instruction): [name: string, value: string][] {
  const words = splitWords(text, escapeCharacter)
  const [first, ...others] = words
  if (first === undefined) throw new DockerfileError(line, `${keyword} needs NAME=VALUE`)
  if (!first.includes('=')) {
    if (others.length === 0) throw new DockerfileError(line, `${keyword} ${first} has no value; write ${first}=VALUE`)
    return [[first, text.trimStart().slice(first.length).trim()]]
  }
  return words.map((word) => {
    const equals = word.indexOf('=')
    if (equals <= 0) throw new DockerfileError(line, `${keyword} needs NAME=VALUE: ${word}`)
    return [word.slice(0, equals), word.slice(equals + 1)]
  })
}

/** Returns the values of each known flag. Throws for an unknown flag; a repeated flag has several values. */
export function flagValues<Name extends string>(
  { keyword, flags, line }: Instruction,
  known: readonly Name[],
): Readonly<Record<Name, readonly string[]>> {
  const values = Object.fromEntries(known.map((name) => [name, [] as string[]])) as Record<Name, string[]>
  for (const [name, value = ''] of flags) {
    if (!Object.hasOwn(values, name)) throw new DockerfileError(line, `${keyword} --${name} is not supported here`)
    values[name as Name].push(value)
  }
  return values
}
