import { Node } from '../../api/core/v1/node.js'
import { hasReason } from '../../api/errors.js'
import { boolean, integer, listFlag, text } from '../../base/flags/flag-types.js'
import type { FlagValues } from '../../base/flags/flags.js'
import { defineController } from '../definition.js'
import { recordNodeStatus } from '../nodes/node-events.js'
import { nodeServiceAccount } from '../nodes/service-account.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import { RangeAllocator } from './range-allocator.js'
import type { NodeRangeOptions } from './ranges.js'

function maskSize(what: string) {
  return integer(`The prefix length of the pod range of a node${what}; 0 for the default.`, { placeholder: 'BITS' })
}

const flags = {
  'allocate-node-cidrs': boolean('Whether each node gets a range of addresses for its pods.'),
  'cluster-cidr': text('The addresses of pods; at most one range of each IP family.', { placeholder: 'CIDR,…' }),
  'service-cluster-ip-range': listFlag('The addresses of services, which no pod gets.', { placeholder: 'CIDR,…' }),
  'node-cidr-mask-size': maskSize(', if there is one IP family'),
  'node-cidr-mask-size-ipv4': maskSize(' for IPv4'),
  'node-cidr-mask-size-ipv6': maskSize(' for IPv6'),
}

/** Allocates to each node the range of addresses of its pods. */
export const definition = defineController({
  name: 'node-ipam-controller',
  alias: 'nodeipam',
  queue: 'cidrallocator_node',
  eventSource: 'cidrAllocator',
  ...nodeServiceAccount,
  flags,
  create(controller, setup) {
    if (!setup.flags['allocate-node-cidrs']) return undefined
    const state: IpamState = {
      allocator: new RangeAllocator(rangeOptions(setup.flags)),
      waiting: new Set(),
      isComplete: false,
    }
    return controller
      .for(Node)
      .workers(30)
      .reconcile({
        observe: async (name, context) => observe(name, state, context),
        decide,
        act: (decision, { name }, context) => act(decision, { name, state }, context),
      })
  },
})

function rangeOptions(values: FlagValues<typeof flags>): NodeRangeOptions {
  const sizeOf = (name: 'node-cidr-mask-size' | 'node-cidr-mask-size-ipv4' | 'node-cidr-mask-size-ipv6') =>
    values[name] > 0 ? values[name] : undefined
  return {
    clusterCidr: values['cluster-cidr'],
    serviceClusterIpRange: values['service-cluster-ip-range'].join(','),
    nodeCidrMaskSize: sizeOf('node-cidr-mask-size'),
    nodeCidrMaskSizeIpv4: sizeOf('node-cidr-mask-size-ipv4'),
    nodeCidrMaskSizeIpv6: sizeOf('node-cidr-mask-size-ipv6'),
  }
}

/** What the controller remembers. */
interface IpamState {
  readonly allocator: RangeAllocator
  /** Nodes that get a range as soon as one is released. */
  readonly waiting: Set<string>
  /** Whether the ranges of all nodes are known. */
  isComplete: boolean
}

interface Observation {
  readonly name: string
  readonly node: Node | undefined
}

function observe(name: string, state: IpamState, context: ReconcileContext): Observation {
  occupyAll(state, context)
  return { name, node: context.informers.of(Node).get(name) }
}

/** The ranges of all nodes must be known before the first one is allocated. */
function occupyAll(state: IpamState, context: ReconcileContext): void {
  if (state.isComplete) return
  for (const node of context.informers.of(Node).list())
    if (node.spec.podCIDRs?.length) occupy(node.metadata.name!, node.spec.podCIDRs, { state, context })
  state.isComplete = true
}

type Decision =
  | { readonly do: 'release' }
  | { readonly do: 'occupy'; readonly podCIDRs: readonly string[] }
  | { readonly do: 'allocate'; readonly node: Node }

export function decide({ node }: Observation): Decision {
  if (!node) return { do: 'release' }
  const { podCIDRs = [] } = node.spec
  return podCIDRs.length > 0 ? { do: 'occupy', podCIDRs } : { do: 'allocate', node }
}

async function act(
  decision: Decision,
  { name, state }: { readonly name: string; readonly state: IpamState },
  context: ReconcileContext,
): Promise<void> {
  if (decision.do === 'release') release(name, { state, context })
  else if (decision.do === 'occupy') occupy(name, decision.podCIDRs, { state, context })
  else await allocate(decision.node, { state, context })
}

interface IpamContext {
  readonly state: IpamState
  readonly context: ReconcileContext
}

function release(name: string, { state: { allocator, waiting }, context }: IpamContext): void {
  allocator.release(name)
  waiting.delete(name)
  for (const other of waiting) context.enqueue(other)
}

function occupy(name: string, podCIDRs: readonly string[], { state, context }: IpamContext): void {
  state.waiting.delete(name)
  if (state.allocator.occupy(name, podCIDRs)) return
  context.environment.log.warn('node has addresses outside the cluster ranges', { node: name, podCIDRs })
}

async function allocate(node: Node, { state, context }: IpamContext): Promise<void> {
  const name = node.metadata.name!
  const parts = state.allocator.allocate(name)
  if (!parts) {
    state.waiting.add(name)
    recordNodeStatus(context.events, node, 'CIDRNotAvailable')
    throw new Error('CIDR allocation failed; there are no remaining CIDRs left to allocate in the accepted range')
  }
  state.waiting.delete(name)
  await write(node, parts, { state, context })
}

/** After other errors the write may have happened: only a rejection by the server releases the range. */
async function write(node: Node, parts: readonly string[], { state, context }: IpamContext): Promise<void> {
  const { name, uid } = node.metadata
  try {
    const spec = { podCIDR: parts[0], podCIDRs: parts }
    await context.client.resource(Node).patch(name!, 'strategic', { metadata: { uid }, spec })
  } catch (error) {
    if (!hasReason(error, 'NotFound')) recordNodeStatus(context.events, node, 'CIDRAssignmentFailed')
    if (hasReason(error, 'NotFound') || hasReason(error, 'Invalid')) state.allocator.release(name!)
    throw error
  }
}
