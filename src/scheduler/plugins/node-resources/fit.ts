import type { NodeInfo } from '../../cache/node-info.js'
import type { PodInfo } from '../../cache/pod-info.js'
import { requestsOf } from '../../cache/pod-requests.js'
import type { Resources } from '../../cache/resources.js'
import { interest } from '../../framework/cluster-event.js'
import type { Plugin, PodFilter, PodScorer } from '../../framework/plugin.js'
import type { Refusal } from '../../framework/rejection.js'
import { leastAllocated } from './least-allocated.js'
import { fitsEmpty, hasMore, isLess } from './resource-changes.js'
import { amountOf } from './resource-weights.js'

const name = 'NodeResourcesFit'

export interface FitOptions {
  /** Names of resources that somebody else looks after. */
  readonly ignoredResources?: readonly string[]
  /** The same by domain: `example.com` for `example.com/gpu`. */
  readonly ignoredResourceGroups?: readonly string[]
  /** How nodes are compared; unless told, the emptier the better. */
  readonly scorerFor?: (pod: PodInfo) => PodScorer | undefined
}

/** A node must have left what the pod asks for. */
export function nodeResourcesFit(options: FitOptions = {}): Plugin {
  const { scorerFor = leastAllocated() } = options
  return {
    name,
    filterFor: ({ requests }) => new FitFilter(askedFor(requests, options)),
    scorerFor,
    interests: [
      interest('AssignedPod', ['deleted']),
      interest('AssignedPod', ['scaled down'], ({ requests }, { object, old }) =>
        old ? isLess(requests, requestsOf(object), requestsOf(old)) : true,
      ),
      interest('WaitingPod', ['scaled down']),
      interest(
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
function askedFor(requests: Resources, options: FitOptions): Asked {
  const { ignoredResources = [], ignoredResourceGroups = [] } = options
  const extended = [...requests.extended].filter(([resource]) => {
    const [group = ''] = resource.split('/')
    return !ignoredResources.includes(resource) && !ignoredResourceGroups.includes(group)
  })
  const basic = ['cpu', 'memory', 'ephemeral-storage'].map(
    (resource) => [resource, amountOf(resource, requests)] as const,
  )
  return [...basic, ...extended].filter(([, amount]) => amount > 0)
}

class FitFilter implements PodFilter {
  readonly #asked: Asked
  /** Many nodes lack the same: what is said of them is made once. By what is missing, as bits. */
  readonly #refusals = new Map<number, Refusal>()

  constructor(asked: Asked) {
    this.#asked = asked
  }

  refuse({ allocatable, requested, pods, allowedPods }: NodeInfo): Refusal | undefined {
    let missing = pods.length >= allowedPods ? tooManyPods : 0
    for (let i = 0; i < this.#asked.length; i++) {
      const [resource, amount] = this.#asked[i]!
      const capacity = amountOf(resource, allocatable)
      if (amount <= capacity - amountOf(resource, requested)) continue
      missing += 2 ** (i + 2)
      // What not even the empty node has is not to be had by removing pods.
      if (amount > capacity) missing += missing % 2 === 0 ? forGood : 0
    }
    return missing === 0 ? undefined : (this.#refusals.get(missing) ?? this.#refusal(missing))
  }

  #refusal(missing: number): Refusal {
    const has = (bit: number) => Math.floor(missing / bit) % 2 === 1
    const short = this.#asked.filter((_, i) => has(2 ** (i + 2)))
    const refusal = {
      plugin: name,
      reasons: [
        ...(has(tooManyPods) ? ['Too many pods'] : []),
        ...short.map(([resource]) => `Insufficient ${resource}`),
      ],
      isResolvable: !has(forGood),
    }
    this.#refusals.set(missing, refusal)
    return refusal
  }
}

/** Bits; those above are of what the pod asks for, in order. */
const forGood = 1
const tooManyPods = 2
