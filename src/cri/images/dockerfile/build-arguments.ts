import type { Architecture } from '../elf.js'
import { DockerfileError } from './dockerfile-error.js'
import { type BuildVariables, expand } from './expansion.js'
import { type Instruction, splitWords } from './instruction.js'
import type { Dockerfile } from './stages.js'

/** The sources of the value of an ARG. */
export interface ArgumentScope {
  /** `--build-arg`. */
  readonly given: BuildVariables
  /** Values for an ARG without a default: from ARGs before the first FROM, and from the platform. */
  readonly inherited: BuildVariables
}

/** These need no ARG, so that a build behind a proxy works without a change of the Dockerfile. */
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

/** Returns `values` plus those of an ARG instruction. Its defaults may use `variables`. */
export function declareArguments(
  { text, line, escapeCharacter }: Instruction,
  scope: ArgumentScope,
  { values, variables }: { readonly values: BuildVariables; readonly variables: BuildVariables },
): BuildVariables {
  const words = splitWords(text, escapeCharacter)
  if (words.length === 0) throw new DockerfileError(line, 'ARG needs a name')
  const declared = new Map(values)
  for (const word of words) {
    const { name, defaultValue } = argument(word)
    const seen = new Map([...variables, ...declared])
    const value =
      scope.given.get(name) ??
      (defaultValue === undefined ? scope.inherited.get(name) : expandIn(defaultValue, seen, { line, escapeCharacter }))
    if (value !== undefined) declared.set(name, value)
  }
  return declared
}

function argument(word: string): { readonly name: string; readonly defaultValue: string | undefined } {
  const equals = word.indexOf('=')
  return equals < 0
    ? { name: word, defaultValue: undefined }
    : { name: word.slice(0, equals), defaultValue: word.slice(equals + 1) }
}

/** Replaces variables. Errors name the line. */
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

/** Returns the `--build-arg`s without an ARG: most likely they are misspelt. */
export function unusedArguments({ globals, stages }: Dockerfile, given: BuildVariables): string[] {
  const all = [...globals, ...stages.flatMap(({ instructions }) => instructions)]
  const declared = all
    .filter(({ keyword }) => keyword === 'ARG')
    .flatMap(({ text, escapeCharacter }) => splitWords(text, escapeCharacter).map((word) => argument(word).name))
  return [...given.keys()].filter((name) => !declared.includes(name) && !proxyArguments.includes(name))
}

/** Returns the proxy settings in `--build-arg`, which commands see without an ARG. */
export function proxyVariables(given: BuildVariables): BuildVariables {
  return new Map([...given].filter(([name]) => proxyArguments.includes(name)))
}
