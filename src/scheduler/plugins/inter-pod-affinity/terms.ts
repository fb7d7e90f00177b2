import { Namespace } from '../../../api/core/v1/namespace.js'
import { LabelSelector } from '../../../api/selectors/label-selector.js'
import type { SharedInformers } from '../../../client/informers/informer.js'
import { type AffinityTerm, termMatches } from '../../cache/affinity-terms.js'

type Labels = Readonly<Record<string, string>>

/** The part of a pod that terms match. */
export interface PodIdentity {
  readonly namespace: string
  readonly labels: Labels
}

const noLabels: Labels = {}

export interface NamespaceLookup {
  labelsOf(namespace: string): Labels
  /** The term with its namespace selector replaced by the names of the namespaces that it selects now. */
  resolved<T extends AffinityTerm>(term: T): T
}

export function namespaceLookup(informers: SharedInformers): NamespaceLookup {
  const namespaces = informers.of(Namespace)
  return {
    labelsOf: (namespace) => namespaces.get(namespace)?.metadata.labels ?? noLabels,
    resolved(term) {
      const { namespaceSelector } = term
      if (namespaceSelector.isEmpty || namespaceSelector === LabelSelector.nothing) return term
      const selected = [...namespaces.list()].filter(({ metadata }) => namespaceSelector.matches(metadata.labels))
      const names = new Set([...term.namespaces, ...selected.map(({ metadata }) => metadata.name!)])
      return { ...term, namespaces: names, namespaceSelector: LabelSelector.nothing }
    },
  }
}

/** Whether a term from `resolved` matches the pod. */
export function resolvedTermMatches(term: AffinityTerm, pod: PodIdentity): boolean {
  return termMatches(term, pod, noLabels)
}

/** False if there are no terms. */
export function allTermsMatch(terms: readonly AffinityTerm[], pod: PodIdentity): boolean {
  if (terms.length === 0) return false
  for (let i = 0; i < terms.length; i++) if (!resolvedTermMatches(terms[i]!, pod)) return false
  return true
}
