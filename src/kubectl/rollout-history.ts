import { type Call, command } from './command.js'
import { integer, text } from './flags/flag.js'
import { objectPrinter, outputFlags, type PrintObject } from './printers/output.js'
import { TabWriter } from './printers/tab-writer.js'
import { fetchInfos } from './resources/fetch.js'
import { type Info, objectName } from './resources/info.js'
import { fileFlags } from './resources/selection.js'
import { nothingNamed } from './rollout-changes.js'
import { type Revision, revisionsOf } from './rollout-revisions.js'

const flags = {
  ...fileFlags,
  ...outputFlags,
  revision: integer('Show this revision in full'),
  selector: text('Labels that objects must have', { short: 'l' }),
} as const

type HistoryCall = Call<typeof flags>

export const rolloutHistory = command({
  usage: '(TYPE NAME | TYPE/NAME) [flags] [options]',
  about: 'Show the revisions that are kept, and what they were made by.',
  examples: ['kubectl rollout history deployment/web', 'kubectl rollout history deployment/web --revision=2 -o yaml'],
  flags,
  run: runHistory,
})

async function runHistory(call: HistoryCall): Promise<void> {
  const { flags: given, args, factory } = call
  if (args.length === 0 && given.filename.length === 0) throw new Error(nothingNamed)
  if (given.revision < 0) throw new Error(`revision must be a positive integer: ${given.revision}`)
  const print = await objectPrinter(factory, given)
  for (const info of await fetchInfos(factory, { ...given, args, typesMeanAll: true })) {
    const revisions = await revisionsOf(factory, info)
    if (given.revision > 0 || print) await showInFull(call, revisions, print)
    else await call.out(overview(info, revisions))
  }
}

async function showInFull(
  { flags: given, out }: HistoryCall,
  revisions: readonly Revision[],
  print: PrintObject | undefined,
) {
  const chosen = given.revision > 0 ? revisions.filter(({ number }) => number === given.revision) : revisions
  if (given.revision > 0 && chosen.length === 0) throw new Error('unable to find the specified revision')
  const { printYaml } = await import('./printers/yaml/yaml.js')
  for (const { keeper, template } of chosen) await out(print ? print(keeper) : printYaml(template))
}

function overview({ object }: Info, revisions: readonly Revision[]): string {
  const writer = new TabWriter({ minimum: 0, padding: 2 })
  writer.line(['REVISION', 'CHANGE-CAUSE'])
  for (const { number, cause } of revisions) writer.line([String(number), cause === '' ? '<none>' : cause])
  return `${objectName(object)} \n${writer.flush()}\n`
}
