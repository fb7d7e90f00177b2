import { command } from '../command.js'
import { CommandUsageError, throwAll } from '../command-errors.js'
import { listObject, objectPrinter, type PrintObject, readTemplate } from '../printers/output.js'
import { sortedBy } from '../printers/sort.js'
import { fetchWhatCanBeHad } from '../resources/fetch.js'
import { type GetContext, getFlags } from './flags.js'
import { GetTables } from './tables.js'

export const get = command({
  usage: `[(-o|--output=)json|yaml|name|go-template|jsonpath|custom-columns|wide] (TYPE[.VERSION][.GROUP] [NAME | -l label] | TYPE[.VERSION][.GROUP]/NAME ...) [flags] [options]`,
  about: 'Display one or many resources, as a table or in another format.',
  examples: [
    'kubectl get pods',
    'kubectl get deployment web -o yaml',
    'kubectl get pods,services -A --sort-by=.metadata.name',
    "kubectl get pods -l app=web -o jsonpath='{.items[*].status.podIP}'",
  ],
  flags: getFlags,
  run: runGet,
})

async function runGet(call: GetContext): Promise<void> {
  const { flags: given, args, factory, out } = call
  if (given.raw !== '') return out(await (await factory.rest()).bytes({ path: given.raw }))
  await checkUse(call)
  const print = await getPrinter(call)
  if (given.watch || given['watch-only']) return (await import('./watch.js')).watchObjects(call, print)
  if (!print) return new GetTables(call).print()
  const selection = {
    ...given,
    args,
    typesMeanAll: true,
    chunkSize: given['chunk-size'],
    ignoreNotFound: given['ignore-not-found'],
  }
  const { infos, errors, isSingle } = await fetchWhatCanBeHad(factory, selection)
  const objects = infos.map(({ object }) => object)
  const sorted = given['sort-by'] === '' ? objects : sortedBy(objects, given['sort-by'], (object) => object)
  if (isSingle && sorted.length === 1) await out(print(sorted[0]!))
  else if (!isSingle) await out(print(listObject(sorted)))
  throwAll(errors)
}

async function checkUse({ flags: given, args, path, err }: GetContext): Promise<void> {
  if (given['output-watch-events'] && !given.watch && !given['watch-only'])
    throw new CommandUsageError(path, '--output-watch-events option can only be used with --watch or --watch-only')
  if (args.length > 0 || given.filename.length > 0 || given.kustomize !== '') return
  const hint =
    'Use "kubectl explain <resource>" for a detailed description of that resource (e.g. kubectl explain pods).'
  await err(`You must specify the type of resource to get. ${everyResource}\n\n`)
  throw new CommandUsageError(path, `Required resource not specified.\n${hint}`)
}

const everyResource = 'Use "kubectl api-resources" for a complete list of supported resources.'

const further = ['custom-columns', 'custom-columns-file', 'wide']

/** Returns the printer; undefined for tables of the server. */
async function getPrinter(call: GetContext): Promise<PrintObject | undefined> {
  const { flags, factory } = call
  const [, columns, file, spec = ''] = /^(custom-columns)(-file)?(?:=([\s\S]*))?$/.exec(flags.output) ?? []
  if (columns === undefined) return objectPrinter(factory, flags, { further })
  const { customColumnsFilePrinter, customColumnsPrinter } = await import('../printers/custom-columns.js')
  const given = spec === '' ? flags.template : spec
  const withHeaders = !flags['no-headers']
  if (file === undefined) return customColumnsPrinter(given, withHeaders)
  return customColumnsFilePrinter(await readTemplate(factory, given), withHeaders)
}
