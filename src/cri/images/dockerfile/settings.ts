import { posix } from 'node:path'
import type { ImageConfig } from '../image.js'
import { type ArgumentScope, declareArguments, expandIn } from './build-arguments.js'
import { DockerfileError } from './dockerfile-error.js'
import type { BuildVariables } from './expansion.js'
import { type Instruction, jsonList, namedValues, splitWords } from './instruction.js'

/** The current settings of a stage. */
export interface StageSettings {
  readonly config: ImageConfig
  /** Values of the ARGs declared so far. */
  readonly arguments: BuildVariables
  /** Whether this stage has set CMD. An ENTRYPOINT removes only the CMD of the base. */
  readonly hasCommand: boolean
}

type Setting = (settings: StageSettings, instruction: Instruction, scope: ArgumentScope) => StageSettings

/** Applies an instruction that changes only settings. Returns undefined for any other instruction. */
export function applySetting(
  settings: StageSettings,
  instruction: Instruction,
  scope: ArgumentScope,
): StageSettings | undefined {
  return settingsByKeyword[instruction.keyword]?.(settings, instruction, scope)
}

/** Returns the variables for later instructions. ENV takes precedence over ARG. */
export function variablesOf({ config, arguments: values }: StageSettings): BuildVariables {
  return new Map([...values, ...environmentOf(config)])
}

function environmentOf({ Env = [] }: ImageConfig): [string, string][] {
  return Env.map((variable) => {
    const equals = variable.indexOf('=')
    return equals < 0 ? [variable, ''] : [variable.slice(0, equals), variable.slice(equals + 1)]
  })
}

/** Resolves a path against the working directory. Keeps a trailing slash, because it has a meaning for COPY. */
export function inWorkingDirectory({ config }: StageSettings, path: string): string {
  return posix.isAbsolute(path) ? posix.normalize(path) : posix.join(config.WorkingDir || '/', path)
}

/** Returns the words of a command: a list as it is, a text with the shell in front. */
export function commandWords({ config }: StageSettings, { text }: Pick<Instruction, 'text'>): string[] {
  return jsonList(text) ?? [...(config.Shell ?? ['/bin/sh', '-c']), text]
}

const settingsByKeyword: Readonly<Record<string, Setting>> = {
  ARG: (settings, instruction, scope) => ({
    ...settings,
    arguments: declareArguments(instruction, scope, {
      values: settings.arguments,
      variables: variablesOf(settings),
    }),
  }),
  ENV: (settings, instruction) => {
    const variables = new Map(environmentOf(settings.config))
    for (const [name, value] of expandedPairs(settings, instruction)) variables.set(name, value)
    return withConfig(settings, { Env: [...variables].map(([name, value]) => `${name}=${value}`) })
  },
  LABEL: (settings, instruction) => {
    const labels = Object.fromEntries(expandedPairs(settings, instruction))
    return withConfig(settings, { Labels: { ...settings.config.Labels, ...labels } })
  },
  MAINTAINER: (settings, { text }) => withConfig(settings, { Labels: { ...settings.config.Labels, maintainer: text } }),
  EXPOSE: (settings, instruction) => {
    const ports = expandedWords(settings, instruction).flatMap((word) => exposedPorts(word, instruction))
    if (ports.length === 0) throw new DockerfileError(instruction.line, 'EXPOSE needs a port')
    return withConfig(settings, { ExposedPorts: { ...settings.config.ExposedPorts, ...emptyObjects(ports) } })
  },
  VOLUME: (settings, instruction) => {
    const paths = jsonList(instruction.text) ?? expandedWords(settings, instruction)
    if (paths.length === 0) throw new DockerfileError(instruction.line, 'VOLUME needs a path')
    return withConfig(settings, { Volumes: { ...settings.config.Volumes, ...emptyObjects(paths) } })
  },
  USER: (settings, instruction) => withConfig(settings, { User: expandedText(settings, instruction) }),
  WORKDIR: (settings, instruction) => {
    const path = inWorkingDirectory(settings, expandedText(settings, instruction))
    return withConfig(settings, { WorkingDir: path.length > 1 ? path.replace(/\/$/, '') : path })
  },
  STOPSIGNAL: (settings, instruction) => {
    const signal = expandedText(settings, instruction)
    if (!/^(\d+|(SIG)?[A-Z][A-Z0-9+-]*)$/.test(signal))
      throw new DockerfileError(instruction.line, `${signal} is not a signal; write SIGTERM, or a number`)
    return withConfig(settings, { StopSignal: signal })
  },
  SHELL: (settings, { text, line }) => {
    const shell = jsonList(text)
    if (!shell || shell.length === 0) throw new DockerfileError(line, 'SHELL takes a list: SHELL ["/bin/sh", "-c"]')
    return withConfig(settings, { Shell: shell })
  },
  CMD: (settings, instruction) => ({
    ...withConfig(settings, { Cmd: commandWords(settings, instruction) }),
    hasCommand: true,
  }),
  ENTRYPOINT: (settings, instruction) => {
    const { Cmd, ...config } = settings.config
    const kept = settings.hasCommand && Cmd ? { Cmd } : {}
    return { ...settings, config: { ...config, ...kept, Entrypoint: commandWords(settings, instruction) } }
  },
  ONBUILD: (settings, { text, line }) => {
    if (!/^[A-Za-z]+\s/.test(text) || /^(ONBUILD|FROM|MAINTAINER)\s/i.test(text))
      throw new DockerfileError(line, `ONBUILD cannot be used with: ${text}`)
    return withConfig(settings, { OnBuild: [...(settings.config.OnBuild ?? []), text] })
  },
  // Kubernetes has probes instead. The build prints a note.
  HEALTHCHECK: (settings) => settings,
}

function withConfig(settings: StageSettings, changes: Partial<ImageConfig>): StageSettings {
  return { ...settings, config: { ...settings.config, ...changes } }
}

/** All values of one line use the variables as they were before that line. */
function expandedPairs(settings: StageSettings, instruction: Instruction): [string, string][] {
  const variables = variablesOf(settings)
  return namedValues(instruction).map(([name, value]) => [
    expandIn(name, variables, instruction),
    expandIn(value, variables, instruction),
  ])
}

/** A variable may expand to several words. */
function expandedWords(settings: StageSettings, instruction: Instruction): string[] {
  const variables = variablesOf(settings)
  return splitWords(instruction.text, instruction.escapeCharacter)
    .flatMap((word) => expandIn(word, variables, instruction).split(/\s+/))
    .filter((word) => word !== '')
}

function expandedText(settings: StageSettings, instruction: Instruction): string {
  const text = expandIn(instruction.text, variablesOf(settings), instruction)
  if (text === '') throw new DockerfileError(instruction.line, `${instruction.keyword} needs a value`)
  return text
}

/** `8000-8002/udp` are three ports. */
function exposedPorts(word: string, { line }: Instruction): string[] {
  const [, first = '', last = first, protocol = 'tcp'] = /^(\d+)(?:-(\d+))?(?:\/(tcp|udp|sctp))?$/i.exec(word) ?? []
  const [from, to] = [Number(first), Number(last)]
  if (first === '' || from > to || to > 65_535)
    throw new DockerfileError(line, `${word} is not a port; write 80, 80/udp or 8000-8010`)
  return Array.from({ length: to - from + 1 }, (_, at) => `${from + at}/${protocol.toLowerCase()}`)
}

function emptyObjects(names: readonly string[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, {}]))
}
