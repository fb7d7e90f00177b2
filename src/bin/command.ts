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

/** Runs a command with its arguments, without its own name. Resolves with the exit code. */
export type ProaCommand = (args: readonly string[]) => Promise<number>

export interface CommandDefinition<Table extends FlagTable> {
  /** `apiserver` */
  readonly name: string
  /** Description and usage. The help shows it before the flags. */
  readonly about: string
  readonly flags: Table
  /** Whether the command takes arguments that are not flags. Otherwise they are an error. */
  readonly takesOperands?: boolean
  /** `args` are all arguments as the user typed them. */
  readonly run: (flags: FlagValues<Table>, args: readonly string[], operands: readonly string[]) => Promise<void>
}

/** Returns a command with flags and `--help`. It prints an error as one sentence. */
export function defineCommand<Table extends FlagTable>(definition: CommandDefinition<Table>): ProaCommand {
  const { name, about, flags: table, takesOperands = false, run } = definition
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
