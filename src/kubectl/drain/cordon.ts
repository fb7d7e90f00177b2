import { text } from '../../base/flags/flag-types.js'
import type { FlagTable } from '../../base/flags/flags.js'
import type { JsonObject } from '../../schema/declaration.js'
import { objectIn } from '../../schema/json-value.js'
import { sendChange } from '../changes/send-change.js'
import { type CommandContext, command } from '../command.js'
import { CommandUsageError, errorMessage } from '../command-errors.js'
import { type DryRun, dryRunFlag, dryRunOf, type ResultPrinter, resultPrinter } from '../printers/result.js'
import { fetchObjects } from '../resources/fetch.js'
import type { ResourceObject } from '../resources/resource-object.js'
import { nothingSelected } from '../resources/selection.js'

/** The flags that select nodes. */
export const nodeFlags = {
  ...dryRunFlag,
  selector: text('Select nodes by labels', { short: 'l' }),
} as const

type NodeContext = CommandContext<typeof nodeFlags & FlagTable>

export const cordon = command({
  usage: 'NODE [options]',
  about: 'Mark nodes as unschedulable.',
  examples: ['kubectl cordon node-1'],
  flags: nodeFlags,
  run: (call) => runCordon(call, true),
})

export const uncordon = command({
  usage: 'NODE [options]',
  about: 'Mark nodes as schedulable.',
  examples: ['kubectl uncordon node-1'],
  flags: nodeFlags,
  run: (call) => runCordon(call, false),
})

async function runCordon(call: NodeContext, isClosed: boolean): Promise<void> {
  const nodes = await nodesOf(call, isClosed ? 'cordon' : 'uncordon')
  await setUnschedulable(call, nodes, isClosed)
}

/** Returns the named nodes, or the nodes with the labels. An empty selector selects no nodes, never all. */
export async function nodesOf({ flags: given, args, isSet, path, factory }: NodeContext, verb: string) {
  if (args.length === 0 && !isSet('selector')) throw new CommandUsageError(path, `USAGE: ${verb} NODE [flags]`)
  if (args.length > 0 && given.selector !== '')
    throw new CommandUsageError(path, 'error: cannot specify both a node name and a --selector option')
  if (given.selector !== '') return fetchObjects(factory, { args: ['nodes'], selector: given.selector })
  if (args.length === 0) throw new Error(nothingSelected)
  return fetchObjects(factory, { args: ['nodes', ...args] })
}

/** Sets `unschedulable` of nodes. Reports an error of one node and continues with the next. */
export async function setUnschedulable(
  call: NodeContext,
  nodes: readonly ResourceObject[],
  isClosed: boolean,
): Promise<void> {
  const dryRun = dryRunOf(call.flags)
  const printer = await plainPrinter(call, dryRun)
  const outcome = isClosed ? 'cordoned' : 'uncordoned'
  for (const node of nodes) {
    const spec = objectIn(node.object, 'spec') ?? {}
    if ((spec.unschedulable === true) === isClosed) {
      await printer.print(node.object, `already ${outcome}`)
      continue
    }
    const { unschedulable: _, ...rest } = spec
    const wanted = { ...node.object, spec: isClosed ? { ...rest, unschedulable: true } : rest }
    await mark(call, node, { wanted, dryRun })
      .then(() => printer.print(node.object, outcome))
      .catch((error: unknown) =>
        call.err(`error: unable to ${isClosed ? 'cordon' : 'uncordon'} node "${node.name}": ${errorMessage(error)}\n`),
      )
  }
}

interface Marking {
  readonly wanted: JsonObject
  readonly dryRun: DryRun
}

async function mark({ factory }: NodeContext, node: ResourceObject, { wanted, dryRun }: Marking): Promise<void> {
  await sendChange(factory, node, wanted, { dryRun, manager: 'kubectl' })
}

/** A printer for commands without `-o`. */
export function plainPrinter(call: NodeContext, dryRun: DryRun): Promise<ResultPrinter> {
  const choice = { output: '', template: '', 'allow-missing-template-keys': true, 'show-managed-fields': false }
  return resultPrinter(call, choice, dryRun)
}
