import type { Node } from '../../../api/core/v1/node.js'
import type { Pod } from '../../../api/core/v1/pod.js'
import { LabelSelector } from '../../../api/selectors/label-selector.js'
import type { FieldError } from '../../../schema/field-errors.js'
import type { FieldPath } from '../../../schema/field-path.js'
import { bool, int32 } from '../../../schema/fields.js'
import type { Infer } from '../../../schema/infer.js'
import { schema } from '../../../schema/schema.js'
import { type AffinityTerm, AffinityTermsCache, termMatches } from '../../cache/affinity-terms.js'
import type { PodInfo } from '../../cache/pod-info.js'
import { type ClusterEvent, queueingHint } from '../../framework/cluster-event.js'
import { declarePlugin } from '../../framework/declaration.js'
import { configurationVersion, typeMetaFields, validateRange } from '../../framework/plugin-arguments.js'
import { AffinityFilter, interPodAffinityName } from './filter.js'
import { affinityScorer } from './scorer.js'
import { allTermsMatch, type NamespaceLookup, namespaceLookup, type PodIdentity, resolvedTermMatches } from './terms.js'

export const InterPodAffinityArgs = schema(`${configurationVersion}.InterPodAffinityArgs`, {
  optional: {
    ...typeMetaFields,
    hardPodAffinityWeight: int32(0, { keepZero: true, default: 1 }),
    ignorePreferredTermsOfExistingPods: bool(0),
  },
})
export interface InterPodAffinityArgs extends Infer<typeof InterPodAffinityArgs> {}

/** Pods go near certain other pods, or away from them. A label of the nodes, the topology key, tells what is near. */
export const interPodAffinity = declarePlugin({
  name: interPodAffinityName,
  extensionPoints: ['filter', 'score'],
  defaultProfile: { position: 100, weight: 2 },
  arguments: { schema: InterPodAffinityArgs, validate },
  create({ informers }, args: InterPodAffinityArgs) {
    const namespaces = namespaceLookup(informers)
    const hints = new PodHints(namespaces)
    const { hardPodAffinityWeight = 1, ignorePreferredTermsOfExistingPods = false } = args
    const options = { hardPodAffinityWeight, ignorePreferredTermsOfExistingPods }
    return {
      preFilter: (pod, snapshot) => AffinityFilter.of(pod, snapshot, namespaces),
      preScore: (pod, snapshot) => affinityScorer({ pod, snapshot, namespaces }, options),
      queueingHints: [
        queueingHint('AssignedPod', ['added', 'deleted', 'pod labels'], (pod, event) => hints.isHelpful(pod, event)),
        queueingHint('UnscheduledPod', ['pod labels']),
        queueingHint('Node', ['added', 'labels'], (pod, { object }) => hasTopologyKeys(object, pod)),
        queueingHint('Namespace', ['added', 'updated'], (pod, { object }) => {
          const { required, requiredAnti } = pod.affinity
          return object.metadata.name === pod.namespace || [...required, ...requiredAnti].some(selectsNamespaces)
        }),
      ],
    }
  },
})

function validate({ hardPodAffinityWeight = 1 }: InterPodAffinityArgs, path: FieldPath): readonly FieldError[] {
  return validateRange(path.child('hardPodAffinityWeight'), hardPodAffinityWeight, [0, 100])
}

function selectsNamespaces({ namespaceSelector }: AffinityTerm): boolean {
  return namespaceSelector !== LabelSelector.nothing && !namespaceSelector.isEmpty
}

function hasTopologyKeys({ metadata: { labels = {} } }: Node, { affinity }: PodInfo): boolean {
  return affinity.required.every(({ topologyKey }) => labels[topologyKey] !== undefined)
}

/** Which changes of existing pods can help a waiting pod. */
class PodHints {
  readonly #namespaces: NamespaceLookup
  /** One event is checked against many waiting pods. */
  readonly #terms = new AffinityTermsCache()

  constructor(namespaces: NamespaceLookup) {
    this.#namespaces = namespaces
  }

  /** The pod that changed now matches the affinity of the waiting pod, or no longer keeps it away. */
  isHelpful(pod: PodInfo, { actions, object, old }: ClusterEvent<'AssignedPod'>): boolean {
    const required = pod.affinity.required.map(this.#namespaces.resolved)
    const requiredAnti = pod.affinity.requiredAnti.map(this.#namespaces.resolved)
    const isAvoided = (other: PodIdentity) => requiredAnti.some((term) => resolvedTermMatches(term, other))
    if (actions.includes('deleted')) return isAvoided(identityOf(object)) || this.#excludes(object, pod)
    const isNewMatch = allTermsMatch(required, identityOf(object)) && !(old && allTermsMatch(required, identityOf(old)))
    return isNewMatch || (old !== undefined && isAvoided(identityOf(old)) && !isAvoided(identityOf(object)))
  }

  /** Whether the existing pod has anti-affinity to the waiting pod. */
  #excludes(existing: Pod, pod: PodInfo): boolean {
    const { requiredAnti } = this.#terms.of(existing)
    return requiredAnti.some((term) => termMatches(term, pod, this.#namespaces.labelsOf(pod.namespace)))
  }
}

function identityOf({ metadata: { namespace = '', labels = {} } }: Pod): PodIdentity {
  return { namespace, labels }
}
