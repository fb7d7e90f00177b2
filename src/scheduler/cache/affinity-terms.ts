import type { Affinity, PodAffinityTerm, WeightedPodAffinityTerm } from '../../api/core/v1/affinity.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { LabelSelector } from '../../api/selectors/label-selector.js'

type Labels = Readonly<Record<string, string>>

/** A pod affinity term with compiled selectors. */
export interface AffinityTerm {
  readonly topologyKey: string
  readonly namespaces: ReadonlySet<string>
  readonly namespaceSelector: LabelSelector
  readonly selector: LabelSelector
}

export interface WeightedAffinityTerm extends AffinityTerm {
  readonly weight: number
}

/** The affinity and anti-affinity of a pod to other pods. */
export interface AffinityTerms {
  readonly required: readonly AffinityTerm[]
  readonly requiredAnti: readonly AffinityTerm[]
  readonly preferred: readonly WeightedAffinityTerm[]
  readonly preferredAnti: readonly WeightedAffinityTerm[]
  readonly isEmpty: boolean
}

const noTerms: AffinityTerms = { required: [], requiredAnti: [], preferred: [], preferredAnti: [], isEmpty: true }

const maxCached = 4096

/**
 * Compiles the affinity of pods, and gives pods of one namespace and template the same object. The InterPodAffinity plugin computes once
 * per object what it would otherwise compute for each pod.
 */
export class AffinityTermsCache {
  /** By namespace and affinity, as JSON. */
  readonly #compiled = new Map<string, AffinityTerms>()

  of({ metadata, spec }: Pod): AffinityTerms {
    const { podAffinity, podAntiAffinity }: Affinity = spec.affinity ?? {}
    if (!podAffinity && !podAntiAffinity) return noTerms
    const namespace = metadata.namespace ?? ''
    const text = JSON.stringify([namespace, podAffinity, podAntiAffinity])
    const known = this.#compiled.get(text)
    if (known) return known
    if (this.#compiled.size >= maxCached) this.#compiled.clear()
    const terms = compileTerms({ podAffinity, podAntiAffinity }, namespace)
    this.#compiled.set(text, terms)
    return terms
  }
}

function compileTerms({ podAffinity, podAntiAffinity }: Affinity, namespace: string): AffinityTerms {
  const plain = (term: PodAffinityTerm) => compileTerm(term, namespace)
  const weighted = ({ weight, podAffinityTerm }: WeightedPodAffinityTerm) => ({ ...plain(podAffinityTerm), weight })
  const terms = {
    required: (podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map(plain),
    requiredAnti: (podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map(plain),
    preferred: (podAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(weighted),
    preferredAnti: (podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(weighted),
  }
  return { ...terms, isEmpty: Object.values(terms).every(({ length }) => length === 0) }
}

/** A term without namespaces and namespace selector means the namespace of its own pod. */
function compileTerm(term: PodAffinityTerm, ownNamespace: string): AffinityTerm {
  const { topologyKey, labelSelector, namespaces = [], namespaceSelector } = term
  const isOwn = namespaces.length === 0 && !namespaceSelector
  return {
    topologyKey,
    namespaces: new Set(isOwn ? [ownNamespace] : namespaces),
    namespaceSelector: LabelSelector.from(namespaceSelector),
    selector: LabelSelector.from(labelSelector),
  }
}

/** Whether the term matches the pod. @param namespaceLabels of the namespace of the pod */
export function termMatches(
  term: AffinityTerm,
  pod: { readonly namespace: string; readonly labels: Labels },
  namespaceLabels: Labels,
): boolean {
  if (!term.namespaces.has(pod.namespace) && !term.namespaceSelector.matches(namespaceLabels)) return false
  return term.selector.matches(pod.labels)
}
