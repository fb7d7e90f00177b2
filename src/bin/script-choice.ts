import { isOwnCommand } from './own-commands.js'

/**
 * The scripts into which the command is bundled. `kubectl` is started again and again, so it does not load the servers; `kubectl get` has
 * a script of its own, because half of its time is the time of loading it.
 */
export const scriptNames = ['commands', 'kubectl', 'kubectl-get'] as const

export type ScriptName = (typeof scriptNames)[number]

/** The script that a command line needs. */
export function scriptFor([first = '', second]: readonly string[]): ScriptName {
  if (first === 'get' || (first === 'kubectl' && second === 'get')) return 'kubectl-get'
  return isOwnCommand(first) || isHelp(first) ? 'commands' : 'kubectl'
}

function isHelp(word: string): boolean {
  return ['', 'help', '--help', '-h'].includes(word)
}
