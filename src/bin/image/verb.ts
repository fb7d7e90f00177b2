import { boolean, optionalText } from '../../base/flags/flag-types.js'
import type { FlagTable, FlagValues } from '../../base/flags/flags.js'
import { clusterFlags } from '../cluster/cluster-flags.js'
import { defineCommand, type ProaCommand } from '../command.js'

/** The flags that every `proa image` command has. */
export const imageFlags = {
  'container-runtime-endpoint': optionalText(
    'The socket of another containerd than that of the cluster, such as unix:///run/containerd/containerd.sock.',
    { placeholder: 'URL' },
  ),
  ...clusterFlags,
  help: { ...boolean('Show this help.'), short: 'h' },
}

export type ImageFlags = FlagValues<typeof imageFlags>

export interface ImageCommandDefinition<Table extends FlagTable> {
  /** `load` */
  readonly name: string
  readonly about: string
  readonly flags: Table
  /** Resolves with the text to print. */
  readonly run: (flags: FlagValues<Table>, operands: readonly string[]) => Promise<string>
}

/** Returns a command of `proa image`. Flags and operands may be mixed. */
export function defineImageCommand<Table extends FlagTable>({
  name,
  about,
  flags,
  run,
}: ImageCommandDefinition<Table>): ProaCommand {
  return defineCommand({
    name: `image ${name}`,
    about,
    flags,
    takesOperands: true,
    run: async (values, _, operands) => void process.stdout.write(await run(values, operands)),
  })
}
