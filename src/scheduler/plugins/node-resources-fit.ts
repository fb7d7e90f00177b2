import { interest } from '../cluster-event.js'
import type { NodeInfo } from '../node-info.js'
import type { Plugin, PodFilter, PodScorer } from '../plugin.js'
import type { PodInfo } from '../pod-info.js'
import { requestsOf } from '../pod-requests.js'
import type { Refusal } from '../refusal.js'
import type { Resources } from '../resources.js'
import { leastAllocated } from './least-allocated.js'
import { fitsEmpty, hasMore, isLess } from './resource-changes.js'

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
    filterFor: (pod) => new FitFilter(pod, extendedOf(pod.requests, options)),
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

type Extended = readonly (readonly [name: string, amount: number])[]

/** Those that this plugin counts. */
function extendedOf({ extended }: Resources, options: FitOptions): Extended {
  const { ignoredResources = [], ignoredResourceGroups = [] } = options
  return [...extended].filter(([resource, amount]) => {
    const [group = ''] = resource.split('/')
    return amount > 0 && !ignoredResources.includes(resource) && !ignoredResourceGroups.includes(group)
  })
}

class FitFilter implements PodFilter {
  readonly #requests: Resources
  readonly #extended: Extended

  constructor({ requests }: PodInfo, extended: Extended) {
    this.#requests = requests
    this.#extended = extended
  }

  refuse(node: NodeInfo): Refusal | undefined {
    return this.#isEnough(node) ? undefined : this.#insufficiency(node)
  }

  #isEnough({ allocatable, requested, pods, allowedPods }: NodeInfo): boolean {
    const { milliCpu, memory, ephemeralStorage } = this.#requests
    if (pods.length >= allowedPods) return false
    if (milliCpu > 0 && milliCpu > allocatable.milliCpu - requested.milliCpu) return false
    if (memory > 0 && memory > allocatable.memory - requested.memory) return false
    if (ephemeralStorage > 0 && ephemeralStorage > allocatable.ephemeralStorage - requested.ephemeralStorage)
      return false
    for (const [resource, amount] of this.#extended) if (amount > leftOf(resource, allocatable, requested)) return false
    return true
  }

  /** Everything that is short. What not even the empty node has is not to be had by removing pods. */
  #insufficiency({ allocatable, requested, pods, allowedPods }: NodeInfo): Refusal {
    const reasons: string[] = []
    let isResolvable = true
    const check = (resource: string, amount: number, capacity: number, used: number) => {
      if (amount <= 0 || amount <= capacity - used) return
      reasons.push(`Insufficient ${resource}`)
      if (amount > capacity) isResolvable = false
    }
    const { milliCpu, memory, ephemeralStorage } = this.#requests
    if (pods.length >= allowedPods) reasons.push('Too many pods')
    check('cpu', milliCpu, allocatable.milliCpu, requested.milliCpu)
    check('memory', memory, allocatable.memory, requested.memory)
    check('ephemeral-storage', ephemeralStorage, allocatable.ephemeralStorage, requested.ephemeralStorage)
    for (const [resource, amount] of this.#extended)
      check(resource, amount, allocatable.extended.get(resource) ?? 0, requested.extended.get(resource) ?? 0)
    return { plugin: name, reasons, isResolvable }
  }
}

function leftOf(resource: string, allocatable: Resources, requested: Resources): number {
  return (allocatable.extended.get(resource) ?? 0) - (requested.extended.get(resource) ?? 0)
}
