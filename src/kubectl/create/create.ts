import { resolve } from 'node:path'
import { fieldValidationOf, withChangeCause, withLastApplied } from '../changes/change-flags.js'
import { command } from '../command.js'
import { CommandUsageError, throwAll } from '../command-errors.js'
import { dryRunOf, dryRunQuery, type ResultPrinter, resultPrinter } from '../printers/result.js'
import { metadataOf, type ResourceObject, resourcePath } from '../resources/resource-object.js'
import { requireFiles, select, withFileContext } from '../resources/selection.js'
import { type CreateContext, createFlags } from './create-flags.js'
import { generators } from './generators.js'

export const create = command({
  usage: '-f FILENAME [options]',
  about: 'Create objects from JSON or YAML files or standard input.',
  examples: ['kubectl create -f web.yaml', 'cat web.json | kubectl create -f -'],
  flags: createFlags,
  run: runCreate,
  subcommands: generators,
})

async function runCreate(call: CreateContext): Promise<void> {
  const { flags: given, args, path, factory } = call
  if (args.length > 0) throw new CommandUsageError(path, `Unexpected args: [${args.join(' ')}]`)
  requireFiles(call)
  if (given.raw !== '') return createRaw(call)
  if (given.edit) return (await import('./create-edit.js')).createEdited(call)
  const dryRun = dryRunOf(given)
  const printer = await resultPrinter(call, given, dryRun)
  const query = {
    ...dryRunQuery(dryRun),
    fieldManager: given['field-manager'],
    fieldValidation: fieldValidationOf(given),
  }
  const { manifests, errors: refused } = await select(factory, { ...given, selector: '' })
  if (manifests.length === 0 && refused.length === 0) throw new Error('no objects passed to create')
  const errors: unknown[] = [...refused]
  for (const info of manifests)
    await createOne(call, info, { printer, query, isDry: dryRun === 'client' }).catch((error: unknown) =>
      errors.push(withFileContext('creating', info, error)),
    )
  throwAll(errors)
}

interface Creating {
  readonly printer: ResultPrinter
  readonly query: Readonly<Record<string, string>>
  readonly isDry: boolean
}

async function createOne(
  call: CreateContext,
  info: ResourceObject,
  { printer, query, isDry }: Creating,
): Promise<void> {
  const noted = call.flags.record ? withChangeCause(call, info.object) : info.object
  const object = call.flags['save-config'] ? withLastApplied(noted) : noted
  if (isDry) return printer.print(object, 'created')
  const rest = await call.factory.rest()
  const path = resourcePath(info.resource, metadataOf(object).namespace)
  await printer.print((await rest.json({ method: 'POST', path, query, body: object })) as typeof object, 'created')
}

/** Sends the file unchanged and prints the response. */
async function createRaw({ flags: given, factory, out }: CreateContext): Promise<void> {
  if (given.edit) throw new Error('--raw and --edit are mutually exclusive')
  if (given.filename.length !== 1) throw new Error('--raw can only use a single local file or stdin')
  const { host } = factory.environment
  const body = JSON.parse(await host.files.read(resolve(host.workingDirectory, given.filename[0]!))) as unknown
  await out(await (await factory.rest()).bytes({ method: 'POST', path: given.raw, body }))
}
