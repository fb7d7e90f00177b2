import { type ArgumentScope, expandIn, proxyVariables } from './build-arguments.js'
import { DockerfileError } from './dockerfile-error.js'
import { flagValues, type Instruction, jsonList } from './instruction.js'
import { commandWords, type StageSettings, variablesOf } from './settings.js'

/** A directory for one RUN, whose content is not part of the image. */
export interface RunMount {
  readonly kind: 'cache' | 'tmpfs'
  /** Absolute. */
  readonly target: string
  /** Caches with the same id share one directory. */
  readonly id: string
  readonly mode: number
  readonly uid: number
  readonly gid: number
}

/** A RUN with all variables replaced. */
export interface RunRequest {
  readonly line: number
  readonly command: readonly string[]
  /** ENVs and ARGs as `NAME=value`. */
  readonly environment: readonly string[]
  readonly mounts: readonly RunMount[]
}

export function runRequest(instruction: Instruction, settings: StageSettings, scope: ArgumentScope): RunRequest {
  const { mount, network } = flagValues(instruction, ['mount', 'network'])
  const [unsupported] = network.filter((name) => name !== 'default' && name !== 'host')
  if (unsupported !== undefined)
    throw new DockerfileError(instruction.line, `RUN --network=${unsupported} is not supported here`)
  const variables = new Map([...proxyVariables(scope.given), ...variablesOf(settings)])
  return {
    line: instruction.line,
    command: commandOf(instruction, settings),
    environment: [...variables].map(([name, value]) => `${name}=${value}`),
    mounts: mount.map((text) => mountOf(expandIn(text, variables, instruction), instruction.line)),
  }
}

/** A heredoc is the script itself if it is alone on the line; otherwise it is input for the command. */
function commandOf(instruction: Instruction, settings: StageSettings): string[] {
  const { text, heredocs, line } = instruction
  if (text === '' || jsonList(text)?.length === 0) throw new DockerfileError(line, 'RUN needs a command')
  const [only, ...others] = heredocs
  if (!only) return commandWords(settings, instruction)
  const isScript = others.length === 0 && /^<<\S+$/.test(text)
  if (!isScript)
    return commandWords(settings, { text: [text, ...heredocs.map(({ name, content }) => content + name)].join('\n') })
  if (only.content.startsWith('#!'))
    throw new DockerfileError(
      line,
      'a RUN script that begins with #! is not supported here; COPY it to a file and RUN that',
    )
  return commandWords(settings, { text: only.content })
}

function mountOf(text: string, line: number): RunMount {
  const options = new Map(text.split(',').map((part) => optionOf(part)))
  const kind = options.get('type') ?? 'bind'
  if ((kind !== 'cache' && kind !== 'tmpfs') || options.has('from'))
    throw new DockerfileError(line, `RUN --mount=${text} is not supported here; only type=cache and type=tmpfs are`)
  const target = options.get('target') ?? options.get('dst') ?? options.get('destination')
  if (!target?.startsWith('/')) throw new DockerfileError(line, `RUN --mount=${text} needs target=/PATH`)
  const number = (name: string, digits: RegExp, defaultValue: string) => {
    const value = options.get(name) ?? defaultValue
    if (!digits.test(value)) throw new DockerfileError(line, `RUN --mount has ${name}=${value}, which is not a number`)
    return value
  }
  return {
    kind,
    target,
    id: options.get('id') ?? target,
    mode: Number.parseInt(number('mode', /^[0-7]{1,4}$/, '0755'), 8),
    uid: Number(number('uid', /^\d+$/, '0')),
    gid: Number(number('gid', /^\d+$/, '0')),
  }
}

function optionOf(part: string): [name: string, value: string] {
  const equals = part.indexOf('=')
  return equals < 0 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)]
}
