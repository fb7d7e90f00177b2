import type { Node } from '../../../api/core/v1/node.js'
import type { NodeInfo } from '../../cache/node-info.js'
import type { PodInfo } from '../../cache/pod-info.js'
import { podResourceRequests } from '../../cache/pod-requests.js'
import { type ComputeResources, parseResources, parseWholeQuantity } from '../../cache/resources.js'
import { queueingHint } from '../../framework/cluster-event.js'
import { declarePlugin } from '../../framework/declaration.js'
import type { PodFilter, PodScorer } from '../../framework/plugin.js'
import type { PluginRejection } from '../../framework/rejection.js'
import {
  NodeResourcesFitArgs,
  RequestedToCapacityRatioParam,
  ResourceSpec,
  ScoringStrategy,
  UtilizationShapePoint,
  validateFit,
} from './arguments.js'
import { resourceAmount } from './resource-weights.js'
import { leastAllocated, mostAllocated, requestedToCapacityRatio } from './scoring-strategies.js'

const name = 'NodeResourcesFit'

/** A node must have left what the pod requests. */
export const nodeResourcesFit = declarePlugin({
  name,
  extensionPoints: ['filter', 'score'],
  defaultProfile: { position: 80, weight: 1 },
  arguments: {
    schema: NodeResourcesFitArgs,
    types: [ScoringStrategy, RequestedToCapacityRatioParam, UtilizationShapePoint, ResourceSpec],
    validate: validateFit,
  },
  create: (_, args: NodeResourcesFitArgs) => ({
    preFilter: ({ requests }) => new FitFilter(countedRequests(requests, args)),
    preScore: scorerOf(args.scoringStrategy ?? {}),
    queueingHints: [
      queueingHint('AssignedPod', ['deleted']),
      queueingHint('AssignedPod', ['scaled down'], ({ requests }, { object, old }) =>
        old ? isAnyLess(requests, podResourceRequests(object), podResourceRequests(old)) : true,
      ),
      queueingHint('UnscheduledPod', ['scaled down']),
      queueingHint(
        'Node',
        ['added', 'allocatable'],
        ({ requests }, { object, old }) => fitsEmptyNode(requests, object) && (!old || hasGrown(requests, old, object)),
      ),
    ],
  }),
})

function scorerOf({ type, resources, requestedToCapacityRatio: ratio }: ScoringStrategy): (pod: PodInfo) => PodScorer {
  const weights = resources?.map((resource) => ({ name: resource.name, weight: resource.weight ?? 1 }))
  if (type === 'MostAllocated') return mostAllocated(weights)
  if (type === 'RequestedToCapacityRatio') return requestedToCapacityRatio(ratio?.shape ?? [], weights)
  return leastAllocated(weights)
}

/** Name and amount of each requested resource. */
type Requests = readonly (readonly [name: string, amount: number])[]

/** In the order in which rejections name them, without the resources that the plugin ignores. */
function countedRequests(requests: ComputeResources, args: NodeResourcesFitArgs): Requests {
  const { ignoredResources = [], ignoredResourceGroups = [] } = args
  const extended = [...requests.extended].filter(([resource]) => {
    const [group = ''] = resource.split('/')
    return !ignoredResources.includes(resource) && !ignoredResourceGroups.includes(group)
  })
  const basic = ['cpu', 'memory', 'ephemeral-storage'].map(
    (resource) => [resource, resourceAmount(resource, requests)] as const,
  )
  return [...basic, ...extended].filter(([, amount]) => amount > 0)
}

/** What a node lacks is a set of bits. Those from `2 ** 2` on belong to the requests of the pod, in order. */
const unresolvable = 1
const tooManyPods = 2

class FitFilter implements PodFilter {
  readonly #requests: Requests
  /** By the bits of what is missing. Many nodes lack the same and share one rejection. */
  readonly #rejections = new Map<number, PluginRejection>()

  constructor(requests: Requests) {
    this.#requests = requests
  }

  filter({ allocatable, requested, pods, allowedPods }: NodeInfo): PluginRejection | undefined {
    let missing = pods.length >= allowedPods ? tooManyPods : 0
    for (let i = 0; i < this.#requests.length; i++) {
      const [resource, amount] = this.#requests[i]!
      const capacity = resourceAmount(resource, allocatable)
      if (amount <= capacity - resourceAmount(resource, requested)) continue
      missing += 2 ** (i + 2)
      // Deleting pods does not help if even the empty node is too small.
      if (amount > capacity) missing += missing % 2 === 0 ? unresolvable : 0
    }
    return missing === 0 ? undefined : (this.#rejections.get(missing) ?? this.#rejection(missing))
  }

  #rejection(missing: number): PluginRejection {
    const has = (bit: number) => Math.floor(missing / bit) % 2 === 1
    const insufficient = this.#requests.filter((_, i) => has(2 ** (i + 2)))
    const rejection = {
      plugin: name,
      reasons: [
        ...(has(tooManyPods) ? ['Too many pods'] : []),
        ...insufficient.map(([resource]) => `Insufficient ${resource}`),
      ],
      isResolvable: !has(unresolvable),
    }
    this.#rejections.set(missing, rejection)
    return rejection
  }
}

function fitsEmptyNode(requests: ComputeResources, { status }: Node): boolean {
  const allocatable = parseResources(status?.allocatable)
  return requestedNames(requests).every(
    (resource) => resourceAmount(resource, requests) <= resourceAmount(resource, allocatable),
  )
}

/** Whether the node has got more of a requested resource, or allows more pods. */
function hasGrown(requests: ComputeResources, old: Node, node: Node): boolean {
  const [before, now] = [old, node].map(({ status }) => status?.allocatable)
  if (parseWholeQuantity(now?.pods) > parseWholeQuantity(before?.pods)) return true
  return isAnyLess(requests, parseResources(before), parseResources(now))
}

/** Whether `less` has less than `more` of any requested resource. */
function isAnyLess(requests: ComputeResources, less: ComputeResources, more: ComputeResources): boolean {
  return requestedNames(requests).some((resource) => resourceAmount(resource, less) < resourceAmount(resource, more))
}

function requestedNames(requests: ComputeResources): readonly string[] {
  return ['cpu', 'memory', 'ephemeral-storage', ...requests.extended.keys()].filter(
    (resource) => resourceAmount(resource, requests) > 0,
  )
}
