import { declarationsIn } from '../../../schema/declaration.js'
import { MatchCondition, MatchResources, NamedRuleWithOperations } from './match-resources.js'
import * as policy from './mutating-admission-policy.js'
import * as binding from './mutating-admission-policy-binding.js'
import { ParamKind, ParamRef, Variable } from './parameters.js'

/** The types of mutating admission policies, which the older versions of the group have as well. */
export const mutatingPolicyTypes = [
  ...declarationsIn([policy, binding]),
  MatchCondition,
  MatchResources,
  NamedRuleWithOperations,
  ParamKind,
  ParamRef,
  Variable,
]

/** Enumerations that the older versions use from this one. */
export const sharedEnumerations = ['OperationType', 'ScopeType', 'ReinvocationPolicyType']
