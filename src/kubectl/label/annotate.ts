import { labelKey } from '../../schema/label-names.js'
import { withChangeCause } from '../changes/change-flags.js'
import { sendChange } from '../changes/send-change.js'
import { type CommandContext, command } from '../command.js'
import { dryRunOf, resultPrinter } from '../printers/result.js'
import { fetchObjects } from '../resources/fetch.js'
import { metadataOf, type ResourceObject, withMetadata } from '../resources/resource-object.js'
import { rejectAllWithSelector, select } from '../resources/selection.js'
import { type Pairs, pairFlags, parsePairs } from './pairs.js'

const flags = pairFlags('kubectl-annotate')

type AnnotateContext = CommandContext<typeof flags>

export const annotate = command({
  usage: '[--overwrite] (-f FILENAME | TYPE NAME) KEY_1=VAL_1 ... KEY_N=VAL_N [--resource-version=version] [options]',
  about: 'Set or remove annotations of objects: key=value sets, key- removes.',
  examples: ["kubectl annotate pods web description='of the shop'", 'kubectl annotate pods web description-'],
  flags,
  run: runAnnotate,
})

async function runAnnotate(call: AnnotateContext): Promise<void> {
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
    const annotations = changed(call, info, pairs)
    const wanted = withMetadata(info.object, {
      annotations,
      ...(given['resource-version'] && { resourceVersion: given['resource-version'] }),
    })
    const noted = given.record ? withChangeCause(call, wanted) : wanted
    const options = { dryRun, manager: given['field-manager'], isPlain: true }
    const object = given.local ? noted : (await sendChange(factory, info, noted, options)).object
    await printer.print(object, 'annotated')
  }
}

function check({ flags: given }: AnnotateContext, args: readonly string[]): Pairs {
  const pairs = parsePairs(args, 'annotation')
  rejectAllWithSelector(given)
  const isEmpty = pairs.resources.length === 0 && given.filename.length === 0 && given.kustomize === ''
  if (isEmpty) throw new Error('one or more resources must be specified as <resource> <name> or <resource>/<name>')
  if (pairs.words.length === 0 && !given.list) throw new Error('at least one annotation update is required')
  for (const key of pairs.removed)
    if (Object.hasOwn(pairs.set, key))
      throw new Error(`can not both modify and remove the following annotation(s) in the same command: ${key}`)
  for (const key of Object.keys(pairs.set)) {
    const wrong = [...labelKey(key.toLowerCase())]
    if (wrong.length > 0)
      throw new Error(`metadata.annotations: Invalid value: ${JSON.stringify(key)}: ${wrong.join(';')}`)
  }
  return pairs
}

function changed({ flags: given }: AnnotateContext, { object }: ResourceObject, { set, removed }: Pairs) {
  const before = metadataOf(object).annotations ?? {}
  const taken = Object.keys(set).filter((key) => Object.hasOwn(before, key) && before[key] !== set[key])
  if (!given.overwrite && taken.length > 0) {
    const list = taken.map((key) => `'${key}' already has a value (${before[key]})`).join('; ')
    throw new Error(`--overwrite is false but found the following declared annotation(s): ${list}`)
  }
  const kept = Object.entries(before).filter(([key]) => !removed.includes(key))
  const annotations = { ...Object.fromEntries(kept), ...set }
  return Object.keys(annotations).length === 0 ? undefined : annotations
}

async function list(
  { out }: AnnotateContext,
  { object, resource, name }: ResourceObject,
  hasTitle: boolean,
): Promise<void> {
  if (hasTitle) await out(`Listing annotations for ${resource.kind}.${resource.group}/${name}:\n`)
  const all = Object.entries(metadataOf(object).annotations ?? {}).sort(([left], [right]) => (left < right ? -1 : 1))
  await out(all.map(([key, value]) => `${hasTitle ? ' ' : ''}${key}=${value}\n`).join(''))
}
