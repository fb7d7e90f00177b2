import * as field from '../../../schema/field-errors.js'
import { fieldPath } from '../../../schema/field-path.js'
import { declareTable } from '../../../schema/schema.js'
import { declareStrategy } from '../../../schema/strategy.js'
import type { IntOrString } from '../../../schema/values/int-or-string.js'
import { validateLabelSelector } from '../../selectors/label-selector-validation.js'
import { validateConditions } from '../../validation/conditions.js'
import { validateNoneNegative } from '../../validation/numbers.js'
import { validateAtMostWhole, validateIntOrPercent } from '../../validation/percentages.js'
import {
  PodDisruptionBudget,
  type PodDisruptionBudgetSpec,
  type PodDisruptionBudgetStatus,
} from './pod-disruption-budget.js'

const specPath = fieldPath('spec')
const statusPath = fieldPath('status')

export const podDisruptionBudgetTable = declareTable<PodDisruptionBudget>(PodDisruptionBudget, {
  'Min Available': ({ spec }) => amountCell(spec.minAvailable),
  'Max Unavailable': ({ spec }) => amountCell(spec.maxUnavailable),
  'Allowed Disruptions': ({ status }) => status.disruptionsAllowed ?? 0,
})

function amountCell(amount: IntOrString | undefined): string {
  return amount === undefined ? 'N/A' : String(amount)
}

export const podDisruptionBudgetStrategy = declareStrategy<PodDisruptionBudget>(PodDisruptionBudget, {
  intent: ({ spec }) => [spec],
  updatedUnconditionally: false,
  validate: ({ spec }) => validateBudgetSpec(spec),
  subresources: {
    status: { validateUpdate: ({ status }) => validateBudgetStatus(status) },
  },
})

const policies: readonly string[] = ['AlwaysAllow', 'IfHealthyBudget']

function validateBudgetSpec(spec: PodDisruptionBudgetSpec): readonly field.FieldError[] {
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy: policy } = spec
  const hasBoth = minAvailable !== undefined && maxUnavailable !== undefined
  return [
    ...(hasBoth
      ? [field.invalid(specPath, specShown(spec), 'minAvailable and maxUnavailable cannot be both set')]
      : []),
    ...validateAmount(spec, 'minAvailable'),
    ...validateAmount(spec, 'maxUnavailable'),
    ...validateLabelSelector(selector, specPath.child('selector')),
    ...(policy === undefined || policies.includes(policy)
      ? []
      : [field.notSupported(specPath.child('unhealthyPodEvictionPolicy'), policy, policies)]),
  ]
}

function validateAmount(
  spec: PodDisruptionBudgetSpec,
  name: 'minAvailable' | 'maxUnavailable',
): readonly field.FieldError[] {
  const amount = spec[name]
  if (amount === undefined) return field.none
  const path = specPath.child(name)
  return [...validateIntOrPercent(amount, path), ...validateAtMostWhole(amount, path)]
}

/** With the field names of upstream's internal types, for messages. */
function specShown(spec: PodDisruptionBudgetSpec): object {
  return {
    MinAvailable: spec.minAvailable ?? null,
    Selector: spec.selector ?? null,
    MaxUnavailable: spec.maxUnavailable ?? null,
    UnhealthyPodEvictionPolicy: spec.unhealthyPodEvictionPolicy ?? null,
  }
}

const counts = [
  'disruptionsAllowed',
  'currentHealthy',
  'desiredHealthy',
  'expectedPods',
] as const satisfies readonly (keyof PodDisruptionBudgetStatus)[]

function validateBudgetStatus(status: PodDisruptionBudgetStatus): readonly field.FieldError[] {
  return [
    ...validateConditions(status.conditions, statusPath.child('conditions')),
    ...validateNoneNegative(status, counts, statusPath),
  ]
}
