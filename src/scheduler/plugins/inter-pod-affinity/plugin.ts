import type { Node } from '../../../api/core/v1/node.js'
import type { Pod } from '../../../api/core/v1/pod.js'
import { LabelSelector } from '../../../api/selectors/label-selector.js'
import { type AffinityTerm, podAffinityTerms, termMatches } from '../../cache/affinity-terms.js'
import type { PodInfo } from '../../cache/pod-info.js'
import { type ClusterEvent, queueingHint } from '../../framework/cluster-event.js'
import type { SchedulerPlugin } from '../../framework/plugin.js'
import { AffinityFilter, name } from './filter.js'
import { type AffinityScorerOptions, affinityScorer } from './scorer.js'
import { allTermsMatch, type NamespaceLookup, type PodIdentity, resolvedTermMatches } from './terms.js'

export interface InterPodAffinityOptions extends Partial<AffinityScorerOptions> {
  readonly namespaces: NamespaceLookup
}

/** Pods want to be near to each other, or away from each other; what "near" is, a label of the nodes says. */
export function interPodAffinity({ namespaces, ...options }: InterPodAffinityOptions): SchedulerPlugin {
  const { hardPodAffinityWeight = 1, ignorePreferredTermsOfExistingPods = false } = options
  return {
    name,
    preFilter: (pod, snapshot) => AffinityFilter.of(pod, snapshot, namespaces),
    preScore: (pod, snapshot) =>
      affinityScorer({ pod, snapshot, namespaces }, { hardPodAffinityWeight, ignorePreferredTermsOfExistingPods }),
    queueingHints: [
      queueingHint('AssignedPod', ['added', 'deleted', 'pod labels'], (pod, event) =>
        changesCompany(pod, event, namespaces),
      ),
      queueingHint('WaitingPod', ['pod labels']),
      queueingHint('Node', ['added', 'labels'], (pod, { object }) => canBeNear(pod, object)),
      queueingHint('Namespace', ['added', 'updated'], (pod, { object }) => {
        const { required, requiredAnti } = pod.affinity
        return object.metadata.name === pod.namespace || [...required, ...requiredAnti].some(selectsNamespaces)
      }),
    ],
  }
}

function selectsNamespaces({ namespaceSelector }: AffinityTerm): boolean {
  return namespaceSelector !== LabelSelector.nothing && !namespaceSelector.isEmpty
}

function canBeNear({ affinity }: PodInfo, { metadata: { labels = {} } }: Node): boolean {
  return affinity.required.every(({ topologyKey }) => labels[topologyKey] !== undefined)
}

/** One more of those that the pod wants to be near to, or one less of those that kept it away. */
function changesCompany(
  pod: PodInfo,
  { actions, object, old }: ClusterEvent<'AssignedPod'>,
  namespaces: NamespaceLookup,
): boolean {
  const required = pod.affinity.required.map(namespaces.resolved)
  const requiredAnti = pod.affinity.requiredAnti.map(namespaces.resolved)
  const isShunned = (other: PodIdentity) => requiredAnti.some((term) => resolvedTermMatches(term, other))
  if (actions.includes('deleted')) return isShunned(described(object)) || isHostile(object, pod, namespaces)
  const isNewFriend = allTermsMatch(required, described(object)) && !(old && allTermsMatch(required, described(old)))
  return isNewFriend || (old !== undefined && isShunned(described(old)) && !isShunned(described(object)))
}

function described({ metadata: { namespace = '', labels = {} } }: Pod): PodIdentity {
  return { namespace, labels }
}

function isHostile(other: Pod, pod: PodInfo, namespaces: NamespaceLookup): boolean {
  const { requiredAnti } = podAffinityTerms(other)
  return requiredAnti.some((term) => termMatches(term, pod, namespaces.labelsOf(pod.namespace)))
}
