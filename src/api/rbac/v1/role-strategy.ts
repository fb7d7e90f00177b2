import { rules } from '../../../schema/rules.js'
import { strategy } from '../../../schema/strategy.js'
import { pathSegmentName } from '../../metadata/name-validation.js'
import { validatePolicyRules } from './policy-rule-validation.js'
import { Role } from './role.js'

export const roleRules = rules<Role>(Role, {
  cells: { 'Created At': ({ metadata }) => metadata.creationTimestamp ?? '' },
})

export const roleStrategy = strategy<Role>(Role, {
  name: pathSegmentName,
  createdByUpdate: true,
  validate: ({ rules: policyRules }) => validatePolicyRules(policyRules, true),
})
