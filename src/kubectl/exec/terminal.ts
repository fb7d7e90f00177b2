import type { Factory } from '../factory/factory.js'

interface TerminalCall {
  readonly flags: { readonly stdin: boolean; readonly tty: boolean; readonly quiet: boolean }
  readonly factory: Factory
  err(text: string): Promise<void>
}

/** Whether the keys of this terminal go to the container. Tells where that is wanted and there is none. */
export async function hasTerminal({ flags, factory, err }: TerminalCall, isWanted = flags.tty): Promise<boolean> {
  if (!flags.stdin || !isWanted) return false
  if (factory.surroundings.terminal) return true
  if (!flags.quiet) await err('Unable to use a TTY - input is not a terminal or the right kind of file\n')
  return false
}
