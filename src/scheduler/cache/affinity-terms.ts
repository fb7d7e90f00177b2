import type { Affinity, PodAffinityTerm, WeightedPodAffinityTerm } from '../../api/core/v1/affinity.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { LabelSelector } from '../../api/selectors/label-selector.js'

type Labels = Readonly<Record<string, string>>

/** Pods that another one wants to be near to or away from. Compiled once, then asked for each pod. */
export interface AffinityTerm {
  readonly topologyKey: string
  readonly namespaces: ReadonlySet<string>
  readonly namespaceSelector: LabelSelector
  readonly selector: LabelSelector
}

export interface WeightedAffinityTerm extends AffinityTerm {
  readonly weight: number
}

/** What a pod says of other pods. */
export interface AffinityTerms {
  readonly required: readonly AffinityTerm[]
  readonly requiredAnti: readonly AffinityTerm[]
  readonly preferred: readonly WeightedAffinityTerm[]
  readonly preferredAnti: readonly WeightedAffinityTerm[]
  /** It says nothing. */
  readonly isEmpty: boolean
}

const noTerms: AffinityTerms = { required: [], requiredAnti: [], preferred: [], preferredAnti: [], isEmpty: true }

/** Compiled already, by namespace and text. Pods of one template share their terms: it is worked out once whom these mean. */
const compiledTerms = new Map<string, AffinityTerms>()
const mostCompiled = 4096

export function podAffinityTerms({ metadata, spec }: Pod): AffinityTerms {
  const { podAffinity, podAntiAffinity }: Affinity = spec.affinity ?? {}
  if (!podAffinity && !podAntiAffinity) return noTerms
  const own = metadata.namespace ?? ''
  const text = JSON.stringify([own, podAffinity, podAntiAffinity])
  const known = compiledTerms.get(text)
  if (known) return known
  if (compiledTerms.size >= mostCompiled) compiledTerms.clear()
  const terms = compiled({ podAffinity, podAntiAffinity }, own)
  compiledTerms.set(text, terms)
  return terms
}

function compiled({ podAffinity, podAntiAffinity }: Affinity, own: string): AffinityTerms {
  const plain = (term: PodAffinityTerm) => compile(term, own)
  const weighted = ({ weight, podAffinityTerm }: WeightedPodAffinityTerm) => ({ ...plain(podAffinityTerm), weight })
  const terms = {
    required: (podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map(plain),
    requiredAnti: (podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map(plain),
    preferred: (podAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(weighted),
    preferredAnti: (podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(weighted),
  }
  return { ...terms, isEmpty: Object.values(terms).every(({ length }) => length === 0) }
}

/** Without a word about namespaces the pod's own is meant. */
function compile(term: PodAffinityTerm, own: string): AffinityTerm {
  const { topologyKey, labelSelector, namespaces = [], namespaceSelector } = term
  const isSilent = namespaces.length === 0 && !namespaceSelector
  return {
    topologyKey,
    namespaces: new Set(isSilent ? [own] : namespaces),
    namespaceSelector: LabelSelector.from(namespaceSelector),
    selector: LabelSelector.from(labelSelector),
  }
}

/** Whether the pod is one of those that the term means. @param labels those of the pod's namespace */
export function termMatches(
  term: AffinityTerm,
  pod: { readonly namespace: string; readonly labels: Labels },
  labels: Labels,
): boolean {
  if (!term.namespaces.has(pod.namespace) && !term.namespaceSelector.matches(labels)) return false
  return term.selector.matches(pod.labels)
}
