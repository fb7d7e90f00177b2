import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { validateLabelSelector } from '../../../selectors/label-selector-validation.js'
import type { TopologySpreadConstraint } from '../pod/spec.js'
import { validateKeysAreNotRepeated, validateLabelKeys } from './match-label-keys.js'

const notPositive = 'must be greater than zero'

export interface SpreadLeniency {
  /** Accepts invalid selectors, because the old object has some. */
  readonly anySelector?: boolean
}

/** Validates topology spread constraints. */
export function validateTopologySpreadConstraints(
  constraints: readonly TopologySpreadConstraint[] | undefined,
  path: FieldPath,
  leniency: SpreadLeniency = {},
): readonly field.FieldError[] {
  if (!constraints) return field.none
  return constraints.flatMap((constraint, i) => [
    ...validateConstraint(constraint, path.index(i)),
    ...repetitionErrors(constraint, constraints.slice(i + 1), path.index(i)),
    ...validateRefinements(constraint, path.index(i)),
    ...validateLabels(constraint, path.index(i), leniency),
  ])
}

function validateConstraint(constraint: TopologySpreadConstraint, path: FieldPath): readonly field.FieldError[] {
  const { maxSkew, topologyKey, whenUnsatisfiable } = constraint
  const errors: field.FieldError[] = []
  if (maxSkew <= 0) errors.push(field.invalid(path.child('maxSkew'), maxSkew, notPositive))
  if (topologyKey === '') errors.push(field.required(path.child('topologyKey'), 'can not be empty'))
  if (whenUnsatisfiable !== 'DoNotSchedule' && whenUnsatisfiable !== 'ScheduleAnyway')
    errors.push(
      field.notSupported(path.child('whenUnsatisfiable'), whenUnsatisfiable, ['DoNotSchedule', 'ScheduleAnyway']),
    )
  return errors
}

/** Rejects duplicates. The error has the index of the first. */
function repetitionErrors(
  { topologyKey, whenUnsatisfiable }: TopologySpreadConstraint,
  later: readonly TopologySpreadConstraint[],
  path: FieldPath,
): readonly field.FieldError[] {
  const isRepeated = later.some(
    (other) => other.topologyKey === topologyKey && other.whenUnsatisfiable === whenUnsatisfiable,
  )
  if (!isRepeated) return field.none
  return [field.duplicate(path.child('{topologyKey, whenUnsatisfiable}'), `{${topologyKey}, ${whenUnsatisfiable}}`)]
}

function validateRefinements(constraint: TopologySpreadConstraint, path: FieldPath): readonly field.FieldError[] {
  const { minDomains, whenUnsatisfiable, nodeAffinityPolicy, nodeTaintsPolicy } = constraint
  const errors: field.FieldError[] = []
  const at = path.child('minDomains')
  if (minDomains !== undefined && minDomains <= 0) errors.push(field.invalid(at, minDomains, notPositive))
  if (minDomains !== undefined && whenUnsatisfiable !== 'DoNotSchedule') {
    const why = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`
    errors.push(field.invalid(at, minDomains, why))
  }
  errors.push(
    ...policyErrors(nodeAffinityPolicy, path.child('nodeAffinityPolicy')),
    ...policyErrors(nodeTaintsPolicy, path.child('nodeTaintsPolicy')),
  )
  return errors
}

function policyErrors(policy: string | undefined, path: FieldPath): readonly field.FieldError[] {
  if (policy === undefined || policy === 'Honor' || policy === 'Ignore') return field.none
  return [field.notSupported(path, policy, ['Honor', 'Ignore'])]
}

function validateLabels(
  { matchLabelKeys = [], labelSelector }: TopologySpreadConstraint,
  path: FieldPath,
  { anySelector = false }: SpreadLeniency,
): readonly field.FieldError[] {
  const at = path.child('matchLabelKeys')
  return [
    ...validateLabelKeys(matchLabelKeys, at, labelSelector),
    ...validateKeysAreNotRepeated(matchLabelKeys, at, labelSelector),
    ...(anySelector ? [] : validateLabelSelector(labelSelector, path.child('labelSelector'))),
  ]
}
