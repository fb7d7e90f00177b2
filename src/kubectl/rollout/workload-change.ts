import { text } from '../../base/flags/flag-types.js'
import type { FlagTable } from '../../base/flags/flags.js'
import type { JsonObject } from '../../schema/declaration.js'
import { managerFlag } from '../changes/change-flags.js'
import { sendChange } from '../changes/send-change.js'
import type { CommandContext } from '../command.js'
import { throwAll } from '../command-errors.js'
import { outputFlags } from '../printers/output.js'
import { resultPrinter } from '../printers/result.js'
import { fetchWhatCanBeHad } from '../resources/fetch.js'
import type { ResourceObject } from '../resources/resource-object.js'
import { fileFlags } from '../resources/selection.js'

/** The flags of commands that change a rollout. */
export const rolloutFlags = {
  ...fileFlags,
  ...outputFlags,
  ...managerFlag('kubectl-rollout'),
  selector: text('Select objects by labels', { short: 'l' }),
} as const

type RolloutContext = CommandContext<typeof rolloutFlags & FlagTable>

export const nothingNamed = 'required resource not specified'

/** Changes objects one after another. `change` throws if it does not apply to an object. */
export async function changeRollouts(
  call: RolloutContext,
  outcome: string,
  change: (info: ResourceObject) => JsonObject,
): Promise<void> {
  const { flags, args, factory } = call
  if (args.length === 0 && flags.filename.length === 0) throw new Error(nothingNamed)
  const printer = await resultPrinter(call, flags, 'none')
  const { infos, errors } = await fetchWhatCanBeHad(factory, { ...flags, args, typesMeanAll: true })
  const failures: unknown[] = [...errors]
  for (const info of infos)
    try {
      const options = { dryRun: 'none', manager: flags['field-manager'] } as const
      await printer.print((await sendChange(factory, info, change(info), options)).object, outcome)
    } catch (error) {
      failures.push(error)
    }
  throwAll(failures)
}
