import type { NodeAffinity } from '../../api/core/v1/affinity.js'
import type { TopologySpreadConstraint } from '../../api/core/v1/pod/spec.js'
import type { SchedulerPluginFactory } from '../framework/plugin.js'
import { defaultPreemption } from '../plugins/default-preemption/plugin.js'
import { defaultSelector } from '../plugins/default-selector.js'
import { dynamicResources } from '../plugins/dynamic-resources.js'
import { imageLocality } from '../plugins/image-locality.js'
import { interPodAffinity } from '../plugins/inter-pod-affinity/plugin.js'
import { namespaceLookup } from '../plugins/inter-pod-affinity/terms.js'
import { nodeAffinity } from '../plugins/node-affinity.js'
import { nodeName } from '../plugins/node-name.js'
import { nodePorts } from '../plugins/node-ports.js'
import { balancedAllocation } from '../plugins/node-resources/balanced-allocation.js'
import { type FitOptions, nodeResourcesFit } from '../plugins/node-resources/fit.js'
import { leastAllocated } from '../plugins/node-resources/least-allocated.js'
import { mostAllocated } from '../plugins/node-resources/most-allocated.js'
import { requestedToCapacityRatio, type ShapePoint } from '../plugins/node-resources/requested-to-capacity-ratio.js'
import type { ResourceWeight } from '../plugins/node-resources/resource-weights.js'
import { nodeUnschedulable } from '../plugins/node-unschedulable.js'
import { topologySpread } from '../plugins/pod-topology-spread/plugin.js'
import { schedulingGates } from '../plugins/scheduling-gates.js'
import { taintToleration } from '../plugins/taint-toleration.js'

/** What configurations say to plugins, once it was read, checked, and completed. Field names are upstream's. */
export interface PluginArguments {
  readonly DefaultPreemption: {
    readonly minCandidateNodesPercentage?: number
    readonly minCandidateNodesAbsolute?: number
  }
  readonly InterPodAffinity: {
    readonly hardPodAffinityWeight?: number
    readonly ignorePreferredTermsOfExistingPods?: boolean
  }
  readonly NodeAffinity: { readonly addedAffinity?: NodeAffinity }
  readonly NodeResourcesBalancedAllocation: { readonly resources?: readonly ResourceWeight[] }
  readonly NodeResourcesFit: {
    readonly ignoredResources?: readonly string[]
    readonly ignoredResourceGroups?: readonly string[]
    readonly scoringStrategy?: ScoringStrategy
  }
  readonly PodTopologySpread: {
    readonly defaultConstraints?: readonly TopologySpreadConstraint[]
    readonly defaultingType?: 'System' | 'List'
  }
}

export interface ScoringStrategy {
  readonly type: 'LeastAllocated' | 'MostAllocated' | 'RequestedToCapacityRatio'
  readonly resources?: readonly ResourceWeight[]
  readonly requestedToCapacityRatio?: { readonly shape: readonly ShapePoint[] }
}

/** Every plugin there is, by the name by which configurations ask for it. */
export const registry: Readonly<Record<string, SchedulerPluginFactory>> = {
  SchedulingGates: schedulingGates,
  NodeUnschedulable: nodeUnschedulable,
  NodeName: nodeName,
  TaintToleration: taintToleration,
  NodeAffinity: (_, args) => nodeAffinity(argumentsOf('NodeAffinity', args)),
  NodePorts: nodePorts,
  NodeResourcesFit: (_, args) => nodeResourcesFit(fitOptions(argumentsOf('NodeResourcesFit', args))),
  PodTopologySpread({ informers }, args) {
    const { defaultingType = 'System', defaultConstraints = [] } = argumentsOf('PodTopologySpread', args)
    const selectorOf = defaultSelector(informers)
    return topologySpread({ selectorOf, ...(defaultingType === 'List' && { defaultConstraints }) })
  },
  InterPodAffinity: ({ informers }, args) =>
    interPodAffinity({ ...argumentsOf('InterPodAffinity', args), namespaces: namespaceLookup(informers) }),
  DynamicResources: dynamicResources,
  DefaultPreemption: ({ informers, extenders }, args) =>
    defaultPreemption({ ...argumentsOf('DefaultPreemption', args), informers, extenders }),
  NodeResourcesBalancedAllocation(_, args) {
    const { resources } = argumentsOf('NodeResourcesBalancedAllocation', args)
    return balancedAllocation(resources && { resources: resources.map(({ name }) => name) })
  },
  ImageLocality: imageLocality,
}

/** They were checked before. */
function argumentsOf<Name extends keyof PluginArguments>(_: Name, args: unknown): PluginArguments[Name] {
  return (args ?? {}) as PluginArguments[Name]
}

function fitOptions({ scoringStrategy, ...ignored }: PluginArguments['NodeResourcesFit']): FitOptions {
  if (!scoringStrategy) return ignored
  const { type, resources, requestedToCapacityRatio: curve } = scoringStrategy
  if (type === 'MostAllocated') return { ...ignored, preScore: mostAllocated(resources) }
  if (type === 'LeastAllocated') return { ...ignored, preScore: leastAllocated(resources) }
  return { ...ignored, preScore: requestedToCapacityRatio(curve?.shape ?? [], resources) }
}
