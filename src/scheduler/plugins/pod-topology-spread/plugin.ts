import type { TopologySpreadConstraint, UnsatisfiableConstraintAction } from '../../../api/core/v1/pod/spec.js'
import type { PodInfo } from '../../cache/pod-info.js'
import { type ClusterEvent, queueingHint } from '../../framework/cluster-event.js'
import type { SchedulerPlugin } from '../../framework/plugin.js'
import type { DefaultSelector } from '../default-selector.js'
import { compiledConstraints, hasAllKeys, type SpreadConstraint } from './constraint.js'
import { name, SpreadFilter } from './filter.js'
import { SpreadScorer } from './scorer.js'

export interface TopologySpreadOptions {
  /** What pods are taken to say that say nothing; unless told, what is good for most. */
  readonly defaultConstraints?: readonly TopologySpreadConstraint[]
  /** For them: which pods they are one of. */
  readonly selectorOf: DefaultSelector
}

const usual: readonly TopologySpreadConstraint[] = [
  { topologyKey: 'kubernetes.io/hostname', maxSkew: 3, whenUnsatisfiable: 'ScheduleAnyway' },
  { topologyKey: 'topology.kubernetes.io/zone', maxSkew: 5, whenUnsatisfiable: 'ScheduleAnyway' },
]

/** Pods of a kind are spread over nodes, zones, or whatever else nodes are labelled with, so that they do not all fail at once. */
export function topologySpread({ defaultConstraints, selectorOf }: TopologySpreadOptions): SchedulerPlugin {
  const constraintsOf = (pod: PodInfo, action: UnsatisfiableConstraintAction): readonly SpreadConstraint[] => {
    const own = pod.pod.spec.topologySpreadConstraints ?? []
    if (own.length > 0) return compiledConstraints(pod, own, action)
    const defaults = (defaultConstraints ?? usual).filter(({ whenUnsatisfiable }) => whenUnsatisfiable === action)
    const selector = defaults.length === 0 ? undefined : selectorOf(pod)
    return selector ? compiledConstraints(pod, defaults, action, selector) : []
  }
  return {
    name,
    preFilter(pod, snapshot) {
      const constraints = constraintsOf(pod, 'DoNotSchedule')
      return constraints.length === 0 ? undefined : SpreadFilter.of(pod, constraints, snapshot)
    },
    preScore(pod, snapshot, nodes) {
      const constraints = constraintsOf(pod, 'ScheduleAnyway')
      if (constraints.length === 0) return undefined
      const isOwn = Boolean(pod.pod.spec.topologySpreadConstraints?.length)
      return new SpreadScorer({ pod, snapshot, nodes, constraints, needsAllKeys: isOwn || Boolean(defaultConstraints) })
    },
    queueingHints: [
      queueingHint('AssignedPod', ['added', 'deleted', 'pod labels'], (pod, event) =>
        changesCounts(pod, constraintsOf(pod, 'DoNotSchedule'), event),
      ),
      queueingHint('WaitingPod', ['pod labels']),
      queueingHint('Node', ['added', 'deleted', 'labels', 'taints'], (pod, { object, old }) => {
        const constraints = constraintsOf(pod, 'DoNotSchedule')
        return [object, old].some((node) => node && hasAllKeys(node.metadata.labels ?? {}, constraints))
      }),
    ],
  }
}

function changesCounts(
  { namespace }: PodInfo,
  constraints: readonly SpreadConstraint[],
  { object, old }: ClusterEvent<'AssignedPod'>,
): boolean {
  if (object.metadata.namespace !== namespace) return false
  return constraints.some(({ selector }) => {
    const isMeant = selector.matches(object.metadata.labels)
    return old ? isMeant !== selector.matches(old.metadata.labels) : isMeant
  })
}
