import {
  describeFlags,
  type FlagTable,
  type FlagValues,
  parseArguments,
  parseFlags,
  UsageError,
} from '../base/flags/flags.js'
import { describeError } from './process/error-description.js'
import { keepAliveDuring } from './process/signals.js'

/** A command takes its arguments, without its own name, and gives the exit code. */
export type ProaCommand = (args: readonly string[]) => Promise<number>

export interface CommandDefinition<Table extends FlagTable> {
  /** `apiserver` */
  readonly name: string
  /** What it is and how it is called, before the flags are listed. */
  readonly about: string
  readonly flags: Table
  /** Arguments that are no flags are an error unless the command takes operands. */
  readonly takesOperands?: boolean
  /** `args` are all arguments as they were given. */
  readonly run: (flags: FlagValues<Table>, args: readonly string[], operands: readonly string[]) => Promise<void>
}

/** A command with flags, `--help` among them, that says in one sentence what went wrong. */
export function defineCommand<Table extends FlagTable>(parts: CommandDefinition<Table>): ProaCommand {
  const { name, about, flags: table, takesOperands = false, run } = parts
  const parse = (args: readonly string[]) =>
    takesOperands
      ? parseArguments(table, args, { variables: process.env })
      : { flags: parseFlags(table, args, process.env), operands: [] }
  return async (args) => {
    try {
      const { flags, operands } = parse(args)
      if ((flags as { readonly help?: unknown }).help === true)
        process.stdout.write(`${about}\nFlags:\n${describeFlags(table)}`)
      else await keepAliveDuring(() => run(flags, args, operands))
      return 0
    } catch (error) {
      process.stderr.write(`proa ${name}: ${describeError(error)}\n`)
      return error instanceof UsageError ? 2 : 1
    }
  }
}
