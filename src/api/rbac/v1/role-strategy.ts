import * as field from '../../../schema/field-errors.js'
import { fieldPath } from '../../../schema/field-path.js'
import { declareTable } from '../../../schema/schema.js'
import { declareStrategy } from '../../../schema/strategy.js'
import type { LabelSelector } from '../../meta/v1/label-selector.js'
import { pathSegmentName } from '../../metadata/name-validation.js'
import { type SelectorLeniency, validateLabelSelector } from '../../selectors/label-selector-validation.js'
import { type AggregationRule, ClusterRole } from './cluster-role.js'
import { validatePolicyRules } from './policy-rule-validation.js'
import { Role } from './role.js'

export const roleTable = declareTable<Role>(Role, { 'Created At': ({ metadata }) => metadata.creationTimestamp ?? '' })

export const roleStrategy = declareStrategy<Role>(Role, {
  name: pathSegmentName,
  createdByUpdate: true,
  validate: ({ rules: policyRules }) => validatePolicyRules(policyRules, true),
})

const selectorsPath = fieldPath('aggregationRule', 'clusterRoleSelectors')

export const clusterRoleTable = declareTable<ClusterRole>(ClusterRole, {
  'Created At': ({ metadata }) => metadata.creationTimestamp ?? '',
})

export const clusterRoleStrategy = declareStrategy<ClusterRole>(ClusterRole, {
  name: pathSegmentName,
  createdByUpdate: true,
  validate: (role) => validateClusterRole(role, {}),
  validateUpdate: (role, old) =>
    validateClusterRole(role, { anyValue: selectorsOf(old).some((selector) => hasErrors(selector)) }),
})

function validateClusterRole(
  { rules: policyRules, aggregationRule }: ClusterRole,
  leniency: SelectorLeniency,
): readonly field.FieldError[] {
  return [...validatePolicyRules(policyRules, false), ...validateAggregation(aggregationRule, leniency)]
}

function validateAggregation(
  aggregation: AggregationRule | undefined | null,
  leniency: SelectorLeniency,
): readonly field.FieldError[] {
  if (!aggregation) return field.none
  const selectors = aggregation.clusterRoleSelectors ?? []
  if (selectors.length === 0)
    return [field.required(selectorsPath, 'at least one clusterRoleSelector required if aggregationRule is non-nil')]
  return selectors.flatMap((selector, i) => [
    ...validateLabelSelector(selector, selectorsPath.index(i), leniency),
    ...(hasErrors(selector) ? [field.invalid(selectorsPath.index(i), null, 'invalid label selector.')] : []),
  ])
}

function selectorsOf({ aggregationRule }: ClusterRole): readonly LabelSelector[] {
  return aggregationRule?.clusterRoleSelectors ?? []
}

function hasErrors(selector: LabelSelector): boolean {
  return validateLabelSelector(selector, selectorsPath).length > 0
}
