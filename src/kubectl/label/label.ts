import { labelValue } from '../../schema/label-names.js'
import { quote } from '../../schema/quote.js'
import { withChangeCause } from '../changes/change-flags.js'
import { sendChange } from '../changes/send-change.js'
import { type CommandContext, command } from '../command.js'
import { dryRunOf, resultPrinter } from '../printers/result.js'
import { fetchObjects } from '../resources/fetch.js'
import { metadataOf, type ResourceObject, withMetadata } from '../resources/resource-object.js'
import { rejectAllWithSelector, select } from '../resources/selection.js'
import { type Pairs, pairFlags, parsePairs } from './pairs.js'

const flags = pairFlags('kubectl-label')

type LabelContext = CommandContext<typeof flags>

export const label = command({
  usage: '[--overwrite] (-f FILENAME | TYPE NAME) KEY_1=VAL_1 ... KEY_N=VAL_N [--resource-version=version] [options]',
  about: 'Set or remove labels of objects: key=value sets, key- removes.',
  examples: [
    'kubectl label pods web tier=front',
    'kubectl label pods web tier-',
    'kubectl label --overwrite pods --all status=old',
  ],
  flags,
  run: runLabel,
})

async function runLabel(call: LabelContext): Promise<void> {
  const { flags: given, args, factory } = call
  const pairs = check(call, args)
  const dryRun = dryRunOf(given)
  const printer = await resultPrinter(call, given, dryRun)
  const selection = { ...given, args: pairs.resources }
  const infos = given.local ? (await select(factory, selection)).manifests : await fetchObjects(factory, selection)
  for (const info of infos) {
    if (given.list) {
      await list(call, info, infos.length > 1)
      continue
    }
    const labels = await changed(call, info, pairs)
    const wanted = withMetadata(info.object, {
      labels,
      ...(given['resource-version'] && { resourceVersion: given['resource-version'] }),
    })
    const noted = given.record ? withChangeCause(call, wanted) : wanted
    if (given.local) {
      await printer.print(noted, outcome(info, labels))
      continue
    }
    const { object } = await sendChange(factory, info, noted, {
      dryRun,
      manager: given['field-manager'],
      isPlain: true,
    })
    await printer.print(object, outcome(info, labels))
  }
}

function check({ flags: given }: LabelContext, args: readonly string[]): Pairs {
  const pairs = parsePairs(args, 'label')
  for (const [key, value] of Object.entries(pairs.set)) {
    if (pairs.removed.includes(key)) throw new Error(`can not both modify and remove a label in the same command`)
    const problems = [...labelValue(value)]
    if (problems.length > 0) throw new Error(`invalid label value: ${quote(`${key}=${value}`)}: ${problems.join(';')}`)
  }
  rejectAllWithSelector(given)
  const isEmpty = pairs.resources.length === 0 && given.filename.length === 0 && given.kustomize === ''
  if (isEmpty) throw new Error('one or more resources must be specified as <resource> <name> or <resource>/<name>')
  if (pairs.words.length === 0 && !given.list) throw new Error('at least one label update is required')
  return pairs
}

async function changed({ flags: given, out }: LabelContext, { object }: ResourceObject, { set, removed }: Pairs) {
  const before = metadataOf(object).labels ?? {}
  const taken = Object.entries(set).filter(([key, value]) => Object.hasOwn(before, key) && before[key] !== value)
  if (!given.overwrite && taken.length > 0)
    throw new Error(
      taken.map(([key]) => `'${key}' already has a value (${before[key]}), and --overwrite is false`).join(', '),
    )
  for (const key of removed) if (!Object.hasOwn(before, key)) await out(`label ${quote(key)} not found.\n`)
  const kept = Object.entries(before).filter(([key]) => !removed.includes(key))
  const labels = { ...Object.fromEntries(kept), ...set }
  return Object.keys(labels).length === 0 ? undefined : labels
}

function outcome({ object }: ResourceObject, labels: Readonly<Record<string, string>> = {}): string {
  const before = metadataOf(object).labels ?? {}
  const isNew = Object.entries(labels).some(([key, value]) => before[key] !== value)
  if (isNew) return 'labeled'
  return Object.keys(before).some((key) => !Object.hasOwn(labels, key)) ? 'unlabeled' : 'not labeled'
}

async function list(
  { out }: LabelContext,
  { object, resource, name }: ResourceObject,
  hasTitle: boolean,
): Promise<void> {
  if (hasTitle) await out(`Listing labels for ${resource.kind}.${resource.group}/${name}:\n`)
  const labels = Object.entries(metadataOf(object).labels ?? {}).sort(([left], [right]) => (left < right ? -1 : 1))
  await out(labels.map(([key, value]) => `${hasTitle ? ' ' : ''}${key}=${value}\n`).join(''))
}
