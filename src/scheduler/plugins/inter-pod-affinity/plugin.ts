import type { Node } from '../../../api/core/v1/node.js'
import type { Pod } from '../../../api/core/v1/pod.js'
import { LabelSelector } from '../../../api/selectors/label-selector.js'
import { type AffinityTerm, affinityTermsOf, isMeant } from '../../cache/affinity-terms.js'
import type { PodInfo } from '../../cache/pod-info.js'
import { type ClusterEvent, interest } from '../../framework/cluster-event.js'
import type { Plugin } from '../../framework/plugin.js'
import { AffinityFilter, name } from './filter.js'
import { type AffinityScorerOptions, affinityScorer } from './scorer.js'
import { allMean, type Described, means, type Namespaces } from './terms.js'

export interface InterPodAffinityOptions extends Partial<AffinityScorerOptions> {
  readonly namespaces: Namespaces
}

/** Pods want to be near to each other, or away from each other; what "near" is, a label of the nodes says. */
export function interPodAffinity({ namespaces, ...options }: InterPodAffinityOptions): Plugin {
  const { hardPodAffinityWeight = 1, ignorePreferredTermsOfExistingPods = false } = options
  return {
    name,
    filterFor: (pod, snapshot) => AffinityFilter.of(pod, snapshot, namespaces),
    scorerFor: (pod, snapshot) =>
      affinityScorer({ pod, snapshot, namespaces }, { hardPodAffinityWeight, ignorePreferredTermsOfExistingPods }),
    interests: [
      interest('AssignedPod', ['added', 'deleted', 'pod labels'], (pod, event) =>
        changesCompany(pod, event, namespaces),
      ),
      interest('WaitingPod', ['pod labels']),
      interest('Node', ['added', 'labels'], (pod, { object }) => canBeNear(pod, object)),
      interest('Namespace', ['added', 'updated'], (pod, { object }) => {
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
  namespaces: Namespaces,
): boolean {
  const required = pod.affinity.required.map(namespaces.resolved)
  const requiredAnti = pod.affinity.requiredAnti.map(namespaces.resolved)
  const isShunned = (other: Described) => requiredAnti.some((term) => means(term, other))
  if (actions.includes('deleted')) return isShunned(described(object)) || isHostile(object, pod, namespaces)
  const isNewFriend = allMean(required, described(object)) && !(old && allMean(required, described(old)))
  return isNewFriend || (old !== undefined && isShunned(described(old)) && !isShunned(described(object)))
}

function described({ metadata: { namespace = '', labels = {} } }: Pod): Described {
  return { namespace, labels }
}

function isHostile(other: Pod, pod: PodInfo, namespaces: Namespaces): boolean {
  const { requiredAnti } = affinityTermsOf(other)
  return requiredAnti.some((term) => isMeant(term, pod, namespaces.labelsOf(pod.namespace)))
}
