import { TopologySpreadConstraint, type UnsatisfiableConstraintAction } from '../../../api/core/v1/pod/spec.js'
import { LabelSelector, LabelSelectorRequirement } from '../../../api/meta/v1/label-selector.js'
import type { PodInfo } from '../../cache/pod-info.js'
import { type ClusterEvent, queueingHint } from '../../framework/cluster-event.js'
import { declarePlugin } from '../../framework/declaration.js'
import { defaultSelector } from '../default-selector.js'
import { PodTopologySpreadArgs, validateTopologySpread } from './arguments.js'
import { compiledConstraints, hasAllKeys, type SpreadConstraint } from './constraint.js'
import { podTopologySpreadName, SpreadFilter } from './filter.js'
import { SpreadScorer } from './scorer.js'

/** For pods without constraints. Upstream's. */
const systemConstraints: readonly TopologySpreadConstraint[] = [
  { topologyKey: 'kubernetes.io/hostname', maxSkew: 3, whenUnsatisfiable: 'ScheduleAnyway' },
  { topologyKey: 'topology.kubernetes.io/zone', maxSkew: 5, whenUnsatisfiable: 'ScheduleAnyway' },
]

/** Spreads pods that belong together over nodes, zones or other domains, so that they do not all fail at once. */
export const podTopologySpread = declarePlugin({
  name: podTopologySpreadName,
  extensionPoints: ['filter', 'score'],
  defaultProfile: { position: 90, weight: 2 },
  arguments: {
    schema: PodTopologySpreadArgs,
    types: [TopologySpreadConstraint, LabelSelector, LabelSelectorRequirement],
    validate: validateTopologySpread,
  },
  create({ informers }, { defaultingType, defaultConstraints = [] }: PodTopologySpreadArgs) {
    const usesSystemDefaults = defaultingType === 'System'
    const defaults = usesSystemDefaults ? systemConstraints : defaultConstraints
    const selectorOf = defaultSelector(informers)
    const constraintsOf = (pod: PodInfo, action: UnsatisfiableConstraintAction): readonly SpreadConstraint[] => {
      const own = pod.pod.spec.topologySpreadConstraints ?? []
      if (own.length > 0) return compiledConstraints(pod, own, action)
      const constraints = defaults.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === action)
      const selector = constraints.length === 0 ? undefined : selectorOf(pod)
      return selector ? compiledConstraints(pod, constraints, action, selector) : []
    }
    return {
      preFilter(pod, snapshot) {
        const constraints = constraintsOf(pod, 'DoNotSchedule')
        return constraints.length === 0 ? undefined : SpreadFilter.of(pod, constraints, snapshot)
      },
      preScore(pod, snapshot, nodes) {
        const constraints = constraintsOf(pod, 'ScheduleAnyway')
        if (constraints.length === 0) return undefined
        const hasOwn = Boolean(pod.pod.spec.topologySpreadConstraints?.length)
        return new SpreadScorer({ pod, snapshot, nodes, constraints, needsAllKeys: hasOwn || !usesSystemDefaults })
      },
      queueingHints: [
        queueingHint('AssignedPod', ['added', 'deleted', 'pod labels'], (pod, event) =>
          changesCounts(pod, constraintsOf(pod, 'DoNotSchedule'), event),
        ),
        queueingHint('UnscheduledPod', ['pod labels']),
        queueingHint('Node', ['added', 'deleted', 'labels', 'taints'], (pod, { object, old }) => {
          const constraints = constraintsOf(pod, 'DoNotSchedule')
          return [object, old].some((node) => node && hasAllKeys(node.metadata.labels ?? {}, constraints))
        }),
      ],
    }
  },
})

function changesCounts(
  { namespace }: PodInfo,
  constraints: readonly SpreadConstraint[],
  { object, old }: ClusterEvent<'AssignedPod'>,
): boolean {
  if (object.metadata.namespace !== namespace) return false
  return constraints.some(({ selector }) => {
    const matches = selector.matches(object.metadata.labels)
    return old ? matches !== selector.matches(old.metadata.labels) : matches
  })
}
