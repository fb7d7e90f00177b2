import { isCommandName } from './command-list.js'

/**
 * The scripts into which the command is bundled. kubectl runs often and must start fast, so its script contains no servers. `kubectl get`
 * has a script of its own, because half of its run time is the time to load it.
 */
export const scriptNames = ['commands', 'kubectl', 'kubectl-get'] as const

export type ScriptName = (typeof scriptNames)[number]

/** Returns the script that a command line needs. */
export function scriptFor(line: readonly string[]): ScriptName {
  const [first = '', ...rest] = commandLine(line)
  if (first === 'get' || (first === 'kubectl' && rest[0] === 'get')) return 'kubectl-get'
  return isCommandName(first) || isVersion(first, rest) || isHelp(first, rest) ? 'commands' : 'kubectl'
}

/** Returns the usual form of a command line: `help up` becomes `up --help`. kubectl handles `help` for its own commands. */
export function commandLine(line: readonly string[]): readonly string[] {
  const [first, topic, ...rest] = line
  if (first !== 'help' || topic === undefined) return line
  if (topic === 'kubectl') return ['kubectl', 'help', ...rest]
  return isCommandName(topic) ? [topic, '--help'] : line
}

/** Whether the line asks for the version of Proa. `version` with flags is a command of kubectl. */
export function isVersion(word: string, args: readonly string[]): boolean {
  return word === '--version' || (word === 'version' && args.length === 0)
}

function isHelp(word: string, args: readonly string[]): boolean {
  return ['', '--help', '-h'].includes(word) || (word === 'help' && args.length === 0)
}
