import { Namespace } from '../../../api/core/v1/namespace.js'
import { LabelSelector } from '../../../api/selectors/label-selector.js'
import type { SharedInformers } from '../../../client/informers/informer.js'
import { type AffinityTerm, termMatches } from '../../cache/affinity-terms.js'

type Labels = Readonly<Record<string, string>>

/** As much of a pod as terms look at. */
export interface PodIdentity {
  readonly namespace: string
  readonly labels: Labels
}

const noLabels: Labels = {}

/** What is known of namespaces. */
export interface NamespaceLookup {
  labelsOf(namespace: string): Labels
  /** The term with every namespace that it means named: from then on it can be asked without their labels. */
  resolved<T extends AffinityTerm>(term: T): T
}

export function namespaceLookup(informers: SharedInformers): NamespaceLookup {
  const namespaces = informers.of(Namespace)
  return {
    labelsOf: (namespace) => namespaces.get(namespace)?.metadata.labels ?? noLabels,
    resolved(term) {
      const { namespaceSelector } = term
      if (namespaceSelector.isEmpty || namespaceSelector === LabelSelector.nothing) return term
      const meant = [...namespaces.list()].filter(({ metadata }) => namespaceSelector.matches(metadata.labels))
      const names = new Set([...term.namespaces, ...meant.map(({ metadata }) => metadata.name!)])
      return { ...term, namespaces: names, namespaceSelector: LabelSelector.nothing }
    },
  }
}

/** Whether a term of which all namespaces are named means the pod. */
export function resolvedTermMatches(term: AffinityTerm, pod: PodIdentity): boolean {
  return termMatches(term, pod, noLabels)
}

/** Of no terms none means it. */
export function allTermsMatch(terms: readonly AffinityTerm[], pod: PodIdentity): boolean {
  if (terms.length === 0) return false
  for (let i = 0; i < terms.length; i++) if (!resolvedTermMatches(terms[i]!, pod)) return false
  return true
}
