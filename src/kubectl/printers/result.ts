import { text } from '../../base/flags/flag-types.js'
import type { FlagTable } from '../../base/flags/flags.js'
import type { JsonObject } from '../../schema/declaration.js'
import type { CommandContext } from '../command.js'
import { objectName } from '../resources/resource-object.js'
import { type OutputChoice, objectPrinter, type PrinterOptions } from './output.js'

/** `--dry-run`: nothing, on this side, or at the server. */
export type DryRun = 'none' | 'client' | 'server'

export const dryRunFlag = {
  'dry-run': text('none, client (nothing is sent) or server (nothing is kept)', { initial: 'none', bare: 'unchanged' }),
} as const

const invalidDryRun = (given: string) => `Invalid dry-run value (${given}). Must be "none", "server", or "client".`

/** What the flag says. A bare one is from the days when there was only one kind. */
export function dryRunOf({ 'dry-run': given }: { readonly 'dry-run': string }): DryRun {
  if (given === 'none' || given === 'client' || given === 'server') return given
  if (given === 'unchanged') return 'client'
  throw new Error(invalidDryRun(given))
}

export interface ResultPrinter {
  /** Tells what became of an object: `deployment.apps/web created`, or the object in the form that was asked for. */
  print(object: JsonObject, operation: string): Promise<void>
}

export async function resultPrinter<Table extends FlagTable>(
  call: Pick<CommandContext<Table>, 'factory' | 'out'>,
  choice: OutputChoice,
  dryRun: DryRun,
  options: PrinterOptions = {},
): Promise<ResultPrinter> {
  const print = await objectPrinter(call.factory, choice, options)
  const suffix = dryRun === 'none' ? '' : dryRun === 'client' ? ' (dry run)' : ' (server dry run)'
  return {
    print: (object, operation) =>
      call.out(print ? print(object) : `${objectName(object)}${operation === '' ? '' : ` ${operation}`}${suffix}\n`),
  }
}

/** What a request has to say for a dry run at the server. */
export function dryRunQuery(dryRun: DryRun): { readonly dryRun?: string } {
  return dryRun === 'server' ? { dryRun: 'All' } : {}
}
