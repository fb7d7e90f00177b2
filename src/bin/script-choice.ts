import { isOwnCommand } from './own-commands.js'

/**
 * The scripts into which the command is bundled. `kubectl` is started again and again, so it does not load the servers; `kubectl get` has
 * a script of its own, because half of its time is the time of loading it.
 */
export const scriptNames = ['commands', 'kubectl', 'kubectl-get'] as const

export type ScriptName = (typeof scriptNames)[number]

/** The script that a command line needs. */
export function scriptFor(line: readonly string[]): ScriptName {
  const [first = '', ...rest] = commandLine(line)
  if (first === 'get' || (first === 'kubectl' && rest[0] === 'get')) return 'kubectl-get'
  return isOwnCommand(first) || isVersion(first, rest) || isHelp(first, rest) ? 'commands' : 'kubectl'
}

/** The usual form of a command line: `help up` is `up --help`. Of other commands kubectl knows more, and gets the line as it is. */
export function commandLine(line: readonly string[]): readonly string[] {
  const [first, topic, ...rest] = line
  if (first !== 'help' || topic === undefined) return line
  if (topic === 'kubectl') return ['kubectl', 'help', ...rest]
  return isOwnCommand(topic) ? [topic, '--help'] : line
}

/** `version` with flags is a command of kubectl. */
export function isVersion(word: string, args: readonly string[]): boolean {
  return word === '--version' || (word === 'version' && args.length === 0)
}

function isHelp(word: string, args: readonly string[]): boolean {
  return ['', '--help', '-h'].includes(word) || (word === 'help' && args.length === 0)
}
