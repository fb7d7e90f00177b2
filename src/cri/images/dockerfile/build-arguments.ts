import type { Architecture } from '../elf.js'
import { DockerfileError } from './dockerfile-error.js'
import { type BuildVariables, expand } from './expansion.js'
import { type Instruction, splitWords } from './instruction.js'
import type { Dockerfile } from './stages.js'

/** Where an ARG gets its value from. */
export interface ArgumentScope {
  /** `--build-arg`. */
  readonly given: BuildVariables
  /** Values for an ARG without a default: those of ARGs before the first FROM, and those about the platform. */
  readonly inherited: BuildVariables
}

/** They need no ARG, so that a build behind a proxy needs no change of the Dockerfile. */
const proxyArguments = ['http_proxy', 'https_proxy', 'ftp_proxy', 'no_proxy', 'all_proxy'].flatMap((name) => [
  name,
  name.toUpperCase(),
])

export function platformArguments(architecture: Architecture): BuildVariables {
  const of = (prefix: string): [string, string][] => [
    [`${prefix}PLATFORM`, `linux/${architecture}`],
    [`${prefix}OS`, 'linux'],
    [`${prefix}ARCH`, architecture],
    [`${prefix}VARIANT`, ''],
  ]
  return new Map([...of('TARGET'), ...of('BUILD')])
}

/** `values`, and those that the instruction `ARG` adds. Its defaults may use `variables`. */
export function declareArguments(
  { text, line, escapeCharacter }: Instruction,
  scope: ArgumentScope,
  { values, variables }: { readonly values: BuildVariables; readonly variables: BuildVariables },
): BuildVariables {
  const words = splitWords(text, escapeCharacter)
  if (words.length === 0) throw new DockerfileError(line, 'ARG needs a name')
  const declared = new Map(values)
  for (const word of words) {
    const { name, standard } = argument(word)
    const seen = new Map([...variables, ...declared])
    const value =
      scope.given.get(name) ??
      (standard === undefined ? scope.inherited.get(name) : expandIn(standard, seen, { line, escapeCharacter }))
    if (value !== undefined) declared.set(name, value)
  }
  return declared
}

function argument(word: string): { readonly name: string; readonly standard: string | undefined } {
  const equals = word.indexOf('=')
  return equals < 0
    ? { name: word, standard: undefined }
    : { name: word.slice(0, equals), standard: word.slice(equals + 1) }
}

/** Replaces variables. A mistake is told with the line that it is on. */
export function expandIn(
  text: string,
  variables: BuildVariables,
  { line, escapeCharacter }: Pick<Instruction, 'line' | 'escapeCharacter'>,
): string {
  try {
    return expand(text, variables, escapeCharacter)
  } catch (error) {
    throw new DockerfileError(line, (error as Error).message)
  }
}

/** The `--build-arg`s that no ARG asks for: most likely misspelt. */
export function unusedArguments({ globals, stages }: Dockerfile, given: BuildVariables): string[] {
  const all = [...globals, ...stages.flatMap(({ instructions }) => instructions)]
  const declared = all
    .filter(({ keyword }) => keyword === 'ARG')
    .flatMap(({ text, escapeCharacter }) => splitWords(text, escapeCharacter).map((word) => argument(word).name))
  return [...given.keys()].filter((name) => !declared.includes(name) && !proxyArguments.includes(name))
}

/** What a command sees of `--build-arg` without an ARG. */
export function proxyVariables(given: BuildVariables): BuildVariables {
  return new Map([...given].filter(([name]) => proxyArguments.includes(name)))
}
