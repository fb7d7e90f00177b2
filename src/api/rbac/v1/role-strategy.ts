import { declareTable } from '../../../schema/schema.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { pathSegmentName } from '../../metadata/name-validation.js'
import { validatePolicyRules } from './policy-rule-validation.js'
import { Role } from './role.js'

export const roleTable = declareTable<Role>(Role, { 'Created At': ({ metadata }) => metadata.creationTimestamp ?? '' })

export const roleStrategy = declareStrategy<Role>(Role, {
  name: pathSegmentName,
  createdByUpdate: true,
  validate: ({ rules: policyRules }) => validatePolicyRules(policyRules, true),
})
