import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { labelKey } from '../../../../schema/label-names.js'
import { dnsLabel } from '../../../../schema/names.js'
import { type SelectorLeniency, validateLabelSelector } from '../../../selectors/label-selector-validation.js'
import type { Affinity, NodeAffinity, PodAffinity, PodAffinityTerm, PreferredSchedulingTerm } from '../affinity.js'
import { validateKeysAreNotRepeated, validateLabelKeys } from './match-label-keys.js'
import { validateNodeSelector, validateNodeSelectorTerm } from './node-selector-validation.js'

export interface AffinityLeniency {
  /** Accepts invalid values in the required node affinity. */
  readonly anyNodeValue?: boolean
  /** Accepts invalid values in selectors of pods. */
  readonly anyPodValue?: boolean
}

/** Validates the affinity and anti-affinity of a pod. */
export function validateAffinity(
  affinity: Affinity | undefined,
  path: FieldPath,
  { anyNodeValue = false, anyPodValue = false }: AffinityLeniency = {},
): readonly field.FieldError[] {
  if (!affinity) return field.none
  const { nodeAffinity, podAffinity, podAntiAffinity } = affinity
  const leniency = { anyValue: anyPodValue }
  return [
    ...(nodeAffinity ? validateNodeAffinity(nodeAffinity, path.child('nodeAffinity'), anyNodeValue) : []),
    ...(podAffinity ? validatePodAffinity(podAffinity, path.child('podAffinity'), leniency) : []),
    ...(podAntiAffinity ? validatePodAffinity(podAntiAffinity, path.child('podAntiAffinity'), leniency) : []),
  ]
}

const requiredName = 'requiredDuringSchedulingIgnoredDuringExecution'
const preferredName = 'preferredDuringSchedulingIgnoredDuringExecution'

function validateNodeAffinity(affinity: NodeAffinity, path: FieldPath, anyValue: boolean): readonly field.FieldError[] {
  const required = affinity[requiredName]
  const preferred = path.child(preferredName)
  return [
    ...(required ? validateNodeSelector(required, path.child(requiredName), { anyValue }) : []),
    ...(affinity[preferredName] ?? []).flatMap((term, i) => validatePreference(term, preferred.index(i))),
  ]
}

function validatePreference({ weight, preference }: PreferredSchedulingTerm, path: FieldPath): field.FieldError[] {
  return [
    ...weightErrors(weight, path),
    ...validateNodeSelectorTerm(preference, path.child('preference'), { anyValue: true }),
  ]
}

function weightErrors(weight: number, path: FieldPath): readonly field.FieldError[] {
  if (weight >= 1 && weight <= 100) return field.none
  return [field.invalid(path.child('weight'), weight, 'must be in the range 1-100')]
}

function validatePodAffinity(
  affinity: PodAffinity,
  path: FieldPath,
  leniency: SelectorLeniency,
): readonly field.FieldError[] {
  const required = path.child(requiredName)
  const preferred = path.child(preferredName)
  return [
    ...(affinity[requiredName] ?? []).flatMap((term, i) => validateTerm(term, required.index(i), leniency)),
    ...(affinity[preferredName] ?? []).flatMap(({ weight, podAffinityTerm }, i) => [
      ...weightErrors(weight, preferred.index(i)),
      ...validateTerm(podAffinityTerm, preferred.index(i).child('podAffinityTerm'), leniency),
    ]),
  ]
}

function validateTerm(term: PodAffinityTerm, path: FieldPath, leniency: SelectorLeniency): readonly field.FieldError[] {
  const { topologyKey, labelSelector, namespaceSelector, namespaces = [] } = term
  const at = path.child('topologyKey')
  return [
    ...validateLabelSelector(labelSelector, path.child('labelSelector'), leniency),
    ...validateLabelSelector(namespaceSelector, path.child('namespaceSelector'), leniency),
    ...namespaces.flatMap((name) => field.invalidForEach(path.child('namespace'), name, dnsLabel(name))),
    ...validateTermKeys(term, path),
    ...(topologyKey === '' ? [field.required(at, 'can not be empty')] : []),
    ...field.invalidForEach(at, topologyKey, labelKey(topologyKey)),
  ]
}

function validateTermKeys(term: PodAffinityTerm, path: FieldPath): readonly field.FieldError[] {
  const { matchLabelKeys = [], mismatchLabelKeys = [], labelSelector } = term
  const matching = path.child('matchLabelKeys')
  return [
    ...validateLabelKeys(matchLabelKeys, matching, labelSelector),
    ...validateLabelKeys(mismatchLabelKeys, path.child('mismatchLabelKeys'), labelSelector),
    ...validateKeysAreNotRepeated(matchLabelKeys, path, labelSelector),
    ...matchLabelKeys.flatMap((key, i) =>
      mismatchLabelKeys.includes(key)
        ? [field.invalid(matching.index(i), key, 'exists in both matchLabelKeys and mismatchLabelKeys')]
        : [],
    ),
  ]
}
