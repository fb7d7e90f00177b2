import { describeFlags, type FlagTable, type FlagValues, parseFlags, UsageError } from '../base/flags/flags.js'
import { explain } from './explain.js'
import { stayingAlive } from './signals.js'

/** A command takes its arguments, without its own name, and gives the exit code. */
export type Command = (args: readonly string[]) => Promise<number>

export interface CommandParts<Table extends FlagTable> {
  /** `apiserver` */
  readonly name: string
  /** What it is and how it is called, before the flags are listed. */
  readonly about: string
  readonly flags: Table
  /** With the arguments as they were given, too. */
  readonly run: (flags: FlagValues<Table>, args: readonly string[]) => Promise<void>
}

/** A command with flags, `--help` among them, that says in one sentence what went wrong. */
export function command<Table extends FlagTable>({ name, about, flags: table, run }: CommandParts<Table>): Command {
  return async (args) => {
    try {
      const flags = parseFlags(table, args, process.env)
      if ((flags as { readonly help?: unknown }).help === true)
        process.stdout.write(`${about}\nFlags:\n${describeFlags(table)}`)
      else await stayingAlive(() => run(flags, args))
      return 0
    } catch (error) {
      process.stderr.write(`proa ${name}: ${explain(error)}\n`)
      return error instanceof UsageError ? 2 : 1
    }
  }
}
