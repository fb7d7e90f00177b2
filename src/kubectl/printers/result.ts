import { text } from '../../base/flags/flag-types.js'
import type { FlagTable } from '../../base/flags/flags.js'
import type { JsonObject } from '../../schema/declaration.js'
import type { CommandContext } from '../command.js'
import { objectName } from '../resources/resource-object.js'
import { type OutputChoice, objectPrinter, type PrinterOptions } from './output.js'

/** The modes of `--dry-run`. */
export type DryRun = 'none' | 'client' | 'server'

export const dryRunFlag = {
  'dry-run': text('none, client (send nothing) or server (store nothing)', { initial: 'none', bare: 'unchanged' }),
} as const

const invalidDryRun = (given: string) => `Invalid dry-run value (${given}). Must be "none", "server", or "client".`

/** Parses the flag. Without a value it means `client`, as in old versions. */
export function dryRunOf({ 'dry-run': given }: { readonly 'dry-run': string }): DryRun {
  if (given === 'none' || given === 'client' || given === 'server') return given
  if (given === 'unchanged') return 'client'
  throw new Error(invalidDryRun(given))
}

export interface ResultPrinter {
  /** Prints the result: `deployment.apps/web created`, or the object in the requested format. */
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

/** The query parameters of a server-side dry run. */
export function dryRunQuery(dryRun: DryRun): { readonly dryRun?: string } {
  return dryRun === 'server' ? { dryRun: 'All' } : {}
}
