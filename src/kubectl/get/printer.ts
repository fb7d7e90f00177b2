import { objectPrinter, type PrintObject, readTemplate } from '../printers/output.js'
import type { GetCall } from './flags.js'

const further = ['custom-columns', 'custom-columns-file', 'wide']

/** How objects are printed; undefined where it is a table that the server makes. */
export async function getPrinter(call: GetCall): Promise<PrintObject | undefined> {
  const { flags, factory } = call
  const [, columns, file, spec = ''] = /^(custom-columns)(-file)?(?:=([\s\S]*))?$/.exec(flags.output) ?? []
  if (columns === undefined) return objectPrinter(factory, flags, { further })
  const { customColumnsFilePrinter, customColumnsPrinter } = await import('../printers/custom-columns.js')
  const given = spec === '' ? flags.template : spec
  const withHeaders = !flags['no-headers']
  if (file === undefined) return customColumnsPrinter(given, withHeaders)
  return customColumnsFilePrinter(await readTemplate(factory, given), withHeaders)
}
