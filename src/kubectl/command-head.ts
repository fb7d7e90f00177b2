import type { Catalogue, Command } from './command.js'
import { ExitCode, UsageError } from './failure.js'
import { helpText } from './flags/usage.js'

/** A command that only leads to others. Alone it prints help and fails: whoever wrote the line has forgotten something. */
export function commandHead(parts: { readonly about: string; readonly subcommands: Catalogue }): Command {
  const head: Command = {
    usage: 'SUBCOMMAND',
    examples: [],
    flags: {},
    ...parts,
    async run({ path, args: [word], out }) {
      if (word !== undefined) throw new UsageError(path, `unknown command "${word}"`)
      await out(helpText(path, head))
      throw new ExitCode(1)
    },
  }
  return head
}
