import type { JsonObject } from '../../schema/declaration.js'
import { fieldValidationOf } from '../changes/change-flags.js'
import { command } from '../command.js'
import { CommandUsageError, throwAll } from '../command-errors.js'
import { listObject, objectPrinter } from '../printers/output.js'
import { type DryRun, dryRunOf, resultPrinter } from '../printers/result.js'
import { metadataOf, type ResourceObject } from '../resources/resource-object.js'
import { matchesSelector, rejectAllWithSelector, requireFiles, select } from '../resources/selection.js'
import { ClientSideApply } from './client-side.js'
import { type ApplyContext, applyFlags } from './flags.js'
import { ServerSideApply } from './server-side.js'

export const apply = command({
  usage: '(-f FILENAME | -k DIRECTORY) [options]',
  about: 'Apply objects from files or standard input: create missing objects and change existing ones.',
  examples: ['kubectl apply -f web.yaml', 'kubectl apply -f folder/ -R', 'kubectl apply --server-side -f web.yaml'],
  flags: applyFlags,
  run: runApply,
  subcommands: {
    'edit-last-applied': {
      about: 'Edit the last applied configuration of an object',
      load: async () => (await import('./edit-last-applied.js')).editLastApplied,
    },
    'set-last-applied': {
      about: 'Set the last applied configuration of an object',
      load: async () => (await import('./set-last-applied.js')).setLastApplied,
    },
    'view-last-applied': {
      about: 'Show the last applied configuration of an object',
      load: async () => (await import('./view-last-applied.js')).viewLastApplied,
    },
  },
})

async function runApply(call: ApplyContext): Promise<void> {
  const dryRun = checkFlags(call)
  const printer = await resultPrinter(call, call.flags, dryRun)
  const printsObjects = !['', 'name'].includes(call.flags.output) || call.flags.template !== ''
  const { infos, errors } = await wanted(call)
  const way = call.flags['server-side'] ? new ServerSideApply(call, dryRun) : new ClientSideApply(call, dryRun)
  const done: JsonObject[] = []
  for (const info of infos)
    try {
      const { object, operation } = await way.apply(info)
      done.push(object)
      if (!printsObjects) await printer.print(object, operation)
    } catch (error) {
      errors.push(error)
    }
  if (printsObjects) await printAll(call, done)
  throwAll(errors)
  if (call.flags.prune) await (await import('./prune.js')).prune(call, infos, dryRun)
}

async function printAll(call: ApplyContext, objects: readonly JsonObject[]): Promise<void> {
  const print = await objectPrinter(call.factory, call.flags)
  if (!print || objects.length === 0) return
  await call.out(print(objects.length === 1 ? objects[0]! : listObject(objects, {})))
}

async function wanted(
  call: ApplyContext,
): Promise<{ readonly infos: readonly ResourceObject[]; readonly errors: unknown[] }> {
  const { flags, factory } = call
  const { manifests, errors } = await select(factory, { ...flags, selector: '' })
  const infos =
    flags.selector === '' ? manifests : manifests.filter(({ object }) => matchesSelector(object, flags.selector))
  if (infos.length === 0 && errors.length === 0) throw new Error('no objects passed to apply')
  for (const { object } of infos) {
    const { name = '', generateName = '' } = metadataOf(object)
    if (name === '' && generateName !== '') throw new Error(`from ${generateName}: cannot use generate name with apply`)
  }
  return { infos, errors: [...errors] }
}

function checkFlags(call: ApplyContext): DryRun {
  const { flags, args, path } = call
  const dryRun = dryRunOf(flags)
  fieldValidationOf(flags)
  if (args.length > 0) throw new CommandUsageError(path, `Unexpected args: [${args.join(' ')}]`)
  requireFiles(call)
  if (flags['force-conflicts'] && !flags['server-side'])
    throw new Error('--force-conflicts only works with --server-side')
  if (dryRun === 'client' && flags['server-side'])
    throw new Error("--dry-run=client doesn't work with --server-side (did you mean --dry-run=server instead?)")
  if (flags.force && flags['server-side']) throw new Error('--force cannot be used with --server-side')
  if (flags.force && dryRun === 'server') throw new Error('--dry-run=server cannot be used with --force')
  rejectAllWithSelector(flags)
  if (flags.prune && flags.selector.trim() === '' && !flags.all)
    throw new Error(
      'all resources selected for prune without explicitly passing --all. To prune all resources, pass the --all flag. If you did not mean to prune all resources, specify a label selector',
    )
  return dryRun
}
