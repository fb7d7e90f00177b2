import { Node } from '../../api/core/v1/node.js'
import { hasReason } from '../../api/errors.js'
import { tellNodeStatus } from '../nodes/node-events.js'
import { controller } from '../runtime/builder.js'
import type { Controller } from '../runtime/controller.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import { Allocator } from './allocator.js'
import type { NodeRangeOptions } from './ranges.js'

/** What the loop remembers: who has what, and who waits until something is free. */
interface Memory {
  readonly allocator: Allocator
  readonly waiting: Set<string>
  /** Whether it is known what all nodes have. */
  isComplete: boolean
}

/** Gives each node the addresses of its pods. Throws if the flags contradict each other. */
export function nodeIpamController(options: NodeRangeOptions): Controller {
  const memory: Memory = { allocator: new Allocator(options), waiting: new Set(), isComplete: false }
  return controller('cidrallocator_node')
    .for(Node)
    .workers(30)
    .reconcile((name, context) => reconcileNode(name, context, memory))
}

async function reconcileNode(name: string, context: ReconcileContext, memory: Memory): Promise<void> {
  noteAll(context, memory)
  const node = context.informers.of(Node).get(name)
  if (!node) return release(name, context, memory)
  const { podCIDRs = [] } = node.spec
  if (podCIDRs.length > 0) return note(node, podCIDRs, { context, memory })
  const parts = memory.allocator.give(name)
  if (!parts) {
    memory.waiting.add(name)
    tellNodeStatus(context.events, node, 'CIDRNotAvailable')
    throw new Error('CIDR allocation failed; there are no remaining CIDRs left to allocate in the accepted range')
  }
  memory.waiting.delete(name)
  await write(node, parts, { context, memory })
}

/** Before anything is given it must be known what is taken, also by nodes that nobody has looked at yet. */
function noteAll(context: ReconcileContext, memory: Memory): void {
  if (memory.isComplete) return
  for (const node of context.informers.of(Node).list())
    if (node.spec.podCIDRs?.length) note(node, node.spec.podCIDRs, { context, memory })
  memory.isComplete = true
}

interface Around {
  readonly context: ReconcileContext
  readonly memory: Memory
}

function note({ metadata }: Node, podCIDRs: readonly string[], { context, memory }: Around): void {
  memory.waiting.delete(metadata.name!)
  if (memory.allocator.note(metadata.name!, podCIDRs)) return
  context.environment.log.warn('a node has addresses that are not of the ranges', { node: metadata.name, podCIDRs })
}

function release(name: string, { enqueue }: ReconcileContext, { allocator, waiting }: Memory): void {
  allocator.takeBack(name)
  waiting.delete(name)
  for (const other of waiting) enqueue(other)
}

/** What is not known to have failed may have been written: it is taken back only when the server has said no. */
async function write(node: Node, parts: readonly string[], { context, memory }: Around): Promise<void> {
  const name = node.metadata.name!
  const [podCIDR] = parts
  try {
    await context.client.resource(Node).patch(name, 'strategic', {
      metadata: { uid: node.metadata.uid },
      spec: { podCIDR, podCIDRs: parts },
    })
  } catch (error) {
    if (!hasReason(error, 'NotFound')) tellNodeStatus(context.events, node, 'CIDRAssignmentFailed')
    if (hasReason(error, 'NotFound') || hasReason(error, 'Invalid')) memory.allocator.takeBack(name)
    throw error
  }
}
