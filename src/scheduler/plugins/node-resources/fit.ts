import type { NodeInfo } from '../../cache/node-info.js'
import type { PodInfo } from '../../cache/pod-info.js'
import { podResourceRequests } from '../../cache/pod-requests.js'
import type { ResourceAmounts } from '../../cache/resources.js'
import { queueingHint } from '../../framework/cluster-event.js'
import type { PodFilter, PodScorer, SchedulerPlugin } from '../../framework/plugin.js'
import type { PluginRejection } from '../../framework/rejection.js'
import { leastAllocated } from './least-allocated.js'
import { fitsEmpty, hasMore, isLess } from './resource-changes.js'
import { resourceAmount } from './resource-weights.js'

const name = 'NodeResourcesFit'

export interface FitOptions {
  /** Names of resources that somebody else looks after. */
  readonly ignoredResources?: readonly string[]
  /** The same by domain: `example.com` for `example.com/gpu`. */
  readonly ignoredResourceGroups?: readonly string[]
  /** How nodes are compared; unless told, the emptier the better. */
  readonly preScore?: (pod: PodInfo) => PodScorer | undefined
}

/** A node must have left what the pod asks for. */
export function nodeResourcesFit(options: FitOptions = {}): SchedulerPlugin {
  const { preScore = leastAllocated() } = options
  return {
    name,
    preFilter: ({ requests }) => new FitFilter(askedFor(requests, options)),
    preScore,
    queueingHints: [
      queueingHint('AssignedPod', ['deleted']),
      queueingHint('AssignedPod', ['scaled down'], ({ requests }, { object, old }) =>
        old ? isLess(requests, podResourceRequests(object), podResourceRequests(old)) : true,
      ),
      queueingHint('WaitingPod', ['scaled down']),
      queueingHint(
        'Node',
        ['added', 'allocatable'],
        ({ requests }, { object, old }) => fitsEmpty(requests, object) && (!old || hasMore(requests, old, object)),
      ),
    ],
  }
}

/** What the pod asks for, and how much of it. */
type Asked = readonly (readonly [name: string, amount: number])[]

/** In the order in which it is told what is missing. What this plugin does not count is left out. */
function askedFor(requests: ResourceAmounts, options: FitOptions): Asked {
  const { ignoredResources = [], ignoredResourceGroups = [] } = options
  const extended = [...requests.extended].filter(([resource]) => {
    const [group = ''] = resource.split('/')
    return !ignoredResources.includes(resource) && !ignoredResourceGroups.includes(group)
  })
  const basic = ['cpu', 'memory', 'ephemeral-storage'].map(
    (resource) => [resource, resourceAmount(resource, requests)] as const,
  )
  return [...basic, ...extended].filter(([, amount]) => amount > 0)
}

class FitFilter implements PodFilter {
  readonly #asked: Asked
  /** Many nodes lack the same: what is said of them is made once. By what is missing, as bits. */
  readonly #rejections = new Map<number, PluginRejection>()

  constructor(asked: Asked) {
    this.#asked = asked
  }

  filter({ allocatable, requested, pods, allowedPods }: NodeInfo): PluginRejection | undefined {
    let missing = pods.length >= allowedPods ? tooManyPods : 0
    for (let i = 0; i < this.#asked.length; i++) {
      const [resource, amount] = this.#asked[i]!
      const capacity = resourceAmount(resource, allocatable)
      if (amount <= capacity - resourceAmount(resource, requested)) continue
      missing += 2 ** (i + 2)
      // What not even the empty node has is not to be had by removing pods.
      if (amount > capacity) missing += missing % 2 === 0 ? forGood : 0
    }
    return missing === 0 ? undefined : (this.#rejections.get(missing) ?? this.#rejection(missing))
  }

  #rejection(missing: number): PluginRejection {
    const has = (bit: number) => Math.floor(missing / bit) % 2 === 1
    const short = this.#asked.filter((_, i) => has(2 ** (i + 2)))
    const rejection = {
      plugin: name,
      reasons: [
        ...(has(tooManyPods) ? ['Too many pods'] : []),
        ...short.map(([resource]) => `Insufficient ${resource}`),
      ],
      isResolvable: !has(forGood),
    }
    this.#rejections.set(missing, rejection)
    return rejection
  }
}

/** Bits; those above are of what the pod asks for, in order. */
const forGood = 1
const tooManyPods = 2
