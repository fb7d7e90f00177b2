import { formatDuration, fromMilliseconds } from '../../base/duration.js'
import { command } from '../command.js'
import { AggregatedError, errorMessage, PlainMessageError } from '../command-errors.js'
import { dryRunOf } from '../printers/result.js'
import type { ResourceObject } from '../resources/resource-object.js'
import { nodeFlags, nodesOf, plainPrinter, setUnschedulable } from './cordon.js'
import { evictAll } from './eviction.js'
import { type DrainContext, drainFlags } from './flags.js'
import { podsToDrain } from './pod-filters.js'

export const drain = command({
  usage: 'NODE [options]',
  about:
    'Prepare a node for maintenance: mark it as unschedulable and evict its pods, as far as disruption budgets allow.',
  examples: ['kubectl drain node-1 --ignore-daemonsets', 'kubectl drain node-1 --force --grace-period=900'],
  flags: { ...nodeFlags, ...drainFlags },
  run: runDrain,
})

async function runDrain(call: DrainContext): Promise<void> {
  if (call.flags['pod-selector'] !== '') await checkSelector(call.flags['pod-selector'])
  const nodes = await nodesOf(call, 'drain')
  await setUnschedulable(call, nodes, true)
  const printer = await plainPrinter(call, dryRunOf(call.flags))
  const failures: { readonly node: ResourceObject; readonly error: unknown }[] = []
  for (const node of nodes)
    try {
      await drainNode(call, node)
      await printer.print(node.object, 'drained')
    } catch (error) {
      failures.push({ node, error })
      await call.err(
        `error: unable to drain node "${node.name}" due to error: ${lines(error, ', ')}, continuing command...\n`,
      )
    }
  if (failures.length === 0) return
  await call.err(`There are pending nodes to be drained:\n${failures.map(({ node }) => ` ${node.name}\n`).join('')}`)
  throw new PlainMessageError(failures.map(({ error }) => lines(error, '\n')).join('\n'))
}

/** Joins several errors into one text. */
function lines(error: unknown, separator: string): string {
  const all = error instanceof AggregatedError ? error.errors : [error]
  const text = all.map(errorMessage).join(separator)
  return all.length > 1 && separator === ', ' ? `[${text}]` : text
}

async function checkSelector(selector: string): Promise<void> {
  const { parseRequirements } = await import('../../api/selectors/label-parser.js')
  try {
    parseRequirements(selector)
  } catch (error) {
    throw new Error('--pod-selector=<pod_selector> must be a valid label selector', { cause: error })
  }
}

async function drainNode(call: DrainContext, node: ResourceObject): Promise<void> {
  const { flags: given, out, err } = call
  const { pods, warnings } = await podsToDrain(call, node.name)
  if (warnings !== '') await err(`Warning: ${warnings}\n`)
  if (dryRunOf(given) === 'client') {
    for (const pod of pods) await out(`evicting pod ${pod.namespace}/${pod.name} (dry run)\n`)
    return
  }
  const { clock } = call.factory.environment
  const deadline = given.timeout === 0 ? undefined : clock.monotonic() + given.timeout
  try {
    await evictAll(call, pods, { deadline, limit: formatDuration(fromMilliseconds(given.timeout)) })
  } catch (error) {
    const { pods: left } = await podsToDrain(call, node.name)
    if (left.length > 0) {
      await err(`There are pending pods in node "${node.name}" when an error occurred: ${errorMessage(error)}\n`)
      for (const pod of left) await err(`pod/${pod.name}\n`)
    }
    throw error
  }
}
