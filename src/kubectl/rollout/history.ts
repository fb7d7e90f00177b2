import type { PodTemplateSpec } from '../../api/core/v1/pod-template.js'
import { signedInteger, text } from '../../base/flags/flag-types.js'
import { changeCause } from '../changes/change-flags.js'
import { type CommandContext, command } from '../command.js'
import { DescriptionPage } from '../describe/page.js'
import { writePodTemplate } from '../describe/workloads/pod-template.js'
import { objectPrinter, outputFlags, type PrintObject } from '../printers/output.js'
import { TabWriter } from '../printers/tab-writer.js'
import { fetchObjects } from '../resources/fetch.js'
import { metadataOf, objectName, type ResourceObject, withMetadata } from '../resources/resource-object.js'
import { fileFlags } from '../resources/selection.js'
import { type Revision, revisionsOf } from './revisions.js'
import { nothingNamed } from './workload-change.js'

const flags = {
  ...fileFlags,
  ...outputFlags,
  revision: signedInteger('Show the details of this revision'),
  selector: text('Select objects by labels', { short: 'l' }),
} as const

type HistoryContext = CommandContext<typeof flags>

export const rolloutHistory = command({
  usage: '(TYPE NAME | TYPE/NAME) [flags] [options]',
  about: 'Show the stored revisions and their change causes.',
  examples: ['kubectl rollout history deployment/web', 'kubectl rollout history deployment/web --revision=2 -o yaml'],
  flags,
  run: runHistory,
})

async function runHistory(call: HistoryContext): Promise<void> {
  const { flags: given, args, factory } = call
  if (args.length === 0 && given.filename.length === 0) throw new Error(nothingNamed)
  if (given.revision < 0) throw new Error(`revision must be a positive integer: ${given.revision}`)
  const print = await objectPrinter(factory, given)
  for (const info of await fetchObjects(factory, { ...given, args, typesMeanAll: true })) {
    const revisions = await revisionsOf(factory, info)
    if (print) await printInFull(call, revisions, print)
    else if (given.revision > 0) await call.out(described(info, chosen(revisions, given.revision)))
    else await call.out(overview(info, revisions))
  }
}

function chosen(revisions: readonly Revision[], wanted: number): Revision {
  const found = revisions.find(({ number }) => number === wanted)
  if (!found) throw new Error('unable to find the specified revision')
  return found
}

async function printInFull(call: HistoryContext, revisions: readonly Revision[], print: PrintObject): Promise<void> {
  const { revision } = call.flags
  const shown = revision > 0 ? [chosen(revisions, revision)] : revisions
  for (const { source: keeper } of shown) await call.out(print(keeper))
}

/** Describes the pod template of a revision, with the change cause among the annotations. Upstream prints the tabs unexpanded. */
function described({ object }: ResourceObject, { number, cause, template }: Revision): string {
  const page = new DescriptionPage()
  const { annotations } = metadataOf(template)
  const told =
    cause === '' ? template : withMetadata(template, { annotations: { ...annotations, [changeCause]: cause } })
  writePodTemplate(page, told as unknown as PodTemplateSpec)
  return `${objectName(object)} with revision #${number}\n${page.tabbed}\n`
}

function overview({ object }: ResourceObject, revisions: readonly Revision[]): string {
  const writer = new TabWriter({ minimum: 0, padding: 2 })
  writer.line(['REVISION', 'CHANGE-CAUSE'])
  for (const { number, cause } of revisions) writer.line([String(number), cause === '' ? '<none>' : cause])
  return `${objectName(object)} \n${writer.flush()}\n`
}
