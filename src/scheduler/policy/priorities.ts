import { createPlugin } from '../framework/declaration.js'
import type { SchedulerPlugin, SchedulerPluginDependencies } from '../framework/plugin.js'
import type { WeightedSchedulerPlugin } from '../framework/profile.js'
import { defaultSelector } from '../plugins/default-selector.js'
import {
  leastAllocated,
  mostAllocated,
  requestedToCapacityRatio,
} from '../plugins/node-resources/scoring-strategies.js'
import { pluginRegistry } from '../plugins/registry.js'
import type { PriorityPolicy, RequestedToCapacityRatioArguments } from './declarations.js'
import { labelPreference } from './node-label.js'
import { preferAvoidPods } from './prefer-avoid-pods.js'
import { selectorSpread } from './selector-spread.js'
import { serviceAntiAffinity, serviceSelector } from './service-affinity.js'

/** What the plugins of a policy are created from. */
export interface PolicyPluginContext {
  readonly dependencies: SchedulerPluginDependencies
  /** By plugin name. */
  readonly args: ReadonlyMap<string, object>
}

/** Undefined for a priority that scores nothing. */
type PriorityFactory = (context: PolicyPluginContext) => SchedulerPlugin | undefined

const fromRegistry =
  (name: string): PriorityFactory =>
  ({ dependencies, args }) =>
    createPlugin(pluginRegistry.get(name)!, dependencies, args.get(name))

const spreadBySelector: PriorityFactory = ({ dependencies }) => selectorSpread(defaultSelector(dependencies.informers))

/** The priorities without an argument. */
export const priorities: ReadonlyMap<string, PriorityFactory> = new Map<string, PriorityFactory>([
  ['EqualPriority', () => undefined],
  ['LeastRequestedPriority', () => ({ name: 'NodeResourcesLeastAllocated', preScore: leastAllocated() })],
  ['MostRequestedPriority', () => ({ name: 'NodeResourcesMostAllocated', preScore: mostAllocated() })],
  ['BalancedResourceAllocation', fromRegistry('NodeResourcesBalancedAllocation')],
  ['SelectorSpreadPriority', spreadBySelector],
  ['ServiceSpreadingPriority', spreadBySelector],
  ['InterPodAffinityPriority', fromRegistry('InterPodAffinity')],
  ['NodePreferAvoidPodsPriority', () => preferAvoidPods()],
  ['NodeAffinityPriority', fromRegistry('NodeAffinity')],
  ['TaintTolerationPriority', fromRegistry('TaintToleration')],
  ['ImageLocalityPriority', fromRegistry('ImageLocality')],
  ['EvenPodsSpreadPriority', fromRegistry('PodTopologySpread')],
])

/** For a policy without a list of priorities. */
const defaults: readonly PriorityPolicy[] = [
  { name: 'SelectorSpreadPriority', weight: 1 },
  { name: 'InterPodAffinityPriority', weight: 1 },
  { name: 'LeastRequestedPriority', weight: 1 },
  { name: 'BalancedResourceAllocation', weight: 1 },
  { name: 'NodePreferAvoidPodsPriority', weight: 10_000 },
  { name: 'NodeAffinityPriority', weight: 1 },
  { name: 'TaintTolerationPriority', weight: 1 },
  { name: 'ImageLocalityPriority', weight: 1 },
  { name: 'EvenPodsSpreadPriority', weight: 2 },
]

export function policyScores(
  given: readonly PriorityPolicy[] | undefined,
  context: PolicyPluginContext,
): readonly WeightedSchedulerPlugin[] {
  return (given ?? defaults).flatMap((priority) => {
    const plugin = createPriority(priority, context)
    return plugin ? [{ plugin, weight: priority.weight ?? 1 }] : []
  })
}

/** A priority with an argument may have any name, and occur more than once. */
function createPriority(
  { name, argument = {} }: PriorityPolicy,
  context: PolicyPluginContext,
): SchedulerPlugin | undefined {
  const {
    serviceAntiAffinity: spread,
    labelPreference: preference,
    requestedToCapacityRatioArguments: ratio,
  } = argument
  const { informers } = context.dependencies
  if (spread) return serviceAntiAffinity(name, spread.label ?? '', serviceSelector(informers))
  if (preference) return labelPreference(name, preference.label ?? '', preference.presence ?? false)
  if (ratio) return { name, preScore: ratioScorer(ratio) }
  return priorities.get(name)!(context)
}

function ratioScorer({ shape = [], resources }: RequestedToCapacityRatioArguments) {
  const weights = resources?.map(({ name, weight = 1 }) => ({ name, weight }))
  return requestedToCapacityRatio(shape, weights)
}
