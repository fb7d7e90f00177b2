import { registry } from '../configuration/registry.js'
import type { SchedulerPluginDependencies } from '../framework/plugin.js'
import type { WeightedSchedulerPlugin } from '../framework/profile.js'
import { defaultSelector } from '../plugins/default-selector.js'
import { leastAllocated } from '../plugins/node-resources/least-allocated.js'
import { mostAllocated } from '../plugins/node-resources/most-allocated.js'
import { requestedToCapacityRatio } from '../plugins/node-resources/requested-to-capacity-ratio.js'
import type { PriorityPolicy, RequestedToCapacityRatioArguments } from './declarations.js'
import { labelPreference } from './node-label.js'
import { preferAvoidPods } from './prefer-avoid-pods.js'
import { selectorSpread } from './selector-spread.js'
import { serviceAntiAffinity } from './service-affinity.js'
import { serviceSelector } from './services.js'

/** How plugins are made that score. */
interface Making {
  readonly parts: SchedulerPluginDependencies
  /** By the name of the plugin. */
  readonly args: ReadonlyMap<string, unknown>
}

type Make = (making: Making) => WeightedSchedulerPlugin['plugin'] | undefined

const byRegistry =
  (name: string): Make =>
  ({ parts, args }) =>
    registry[name]!(parts, args.get(name))

/** The classic priorities. */
export const priorities: ReadonlyMap<string, Make> = new Map<string, Make>([
  ['EqualPriority', () => undefined],
  ['LeastRequestedPriority', () => ({ name: 'NodeResourcesLeastAllocated', preScore: leastAllocated() })],
  ['MostRequestedPriority', () => ({ name: 'NodeResourcesMostAllocated', preScore: mostAllocated() })],
  ['BalancedResourceAllocation', byRegistry('NodeResourcesBalancedAllocation')],
  ['SelectorSpreadPriority', ({ parts }) => selectorSpread(defaultSelector(parts.informers))],
  ['ServiceSpreadingPriority', ({ parts }) => selectorSpread(defaultSelector(parts.informers))],
  ['InterPodAffinityPriority', byRegistry('InterPodAffinity')],
  ['NodePreferAvoidPodsPriority', () => preferAvoidPods()],
  ['NodeAffinityPriority', byRegistry('NodeAffinity')],
  ['TaintTolerationPriority', byRegistry('TaintToleration')],
  ['ImageLocalityPriority', byRegistry('ImageLocality')],
  ['EvenPodsSpreadPriority', byRegistry('PodTopologySpread')],
])

/** What a policy has that does not name any. */
const usual: readonly PriorityPolicy[] = [
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
  making: Making,
): readonly WeightedSchedulerPlugin[] {
  return (given ?? usual).flatMap((priority) => {
    const plugin = made(priority, making)
    return plugin ? [{ plugin, weight: priority.weight ?? 1 }] : []
  })
}

/** Who brings an argument can call it as he likes, and have several. */
function made({ name, argument = {} }: PriorityPolicy, making: Making): ReturnType<Make> {
  const {
    serviceAntiAffinity: spread,
    labelPreference: preference,
    requestedToCapacityRatioArguments: ratio,
  } = argument
  if (spread) return serviceAntiAffinity(name, spread.label ?? '', serviceSelector(making.parts.informers))
  if (preference) return labelPreference(name, preference.label ?? '', preference.presence ?? false)
  if (ratio) return { name, preScore: curveOf(ratio) }
  return priorities.get(name)!(making)
}

function curveOf({ shape = [], resources }: RequestedToCapacityRatioArguments) {
  const weights = resources?.map(({ name, weight = 1 }) => ({ name, weight }))
  return requestedToCapacityRatio(shape, weights)
}
