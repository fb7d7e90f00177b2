import * as field from '../../../schema/field-errors.js'
import { fieldPath } from '../../../schema/field-path.js'
import type { Draft } from '../../../schema/infer.js'
import { internalForm } from '../../../schema/internal-form.js'
import { memberOf } from '../../../schema/json-value.js'
import { dnsSubdomain } from '../../../schema/names.js'
import { declareTable } from '../../../schema/schema.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { keepMetadata } from '../../metadata/status-metadata.js'
import { isSame } from '../../validation/immutability.js'
import { validateFlowConditions } from './flow-condition-validation.js'
import { validateFlowRule } from './flow-rule-validation.js'
import * as declared from './flow-schema.js'
import { FlowSchema, type FlowSchemaSpec } from './flow-schema.js'
import { mandatoryFlowSchemas } from './mandatory-flows.js'

const specPath = fieldPath('spec')
const lastPrecedence = 10_000

const shownSpec = internalForm<FlowSchemaSpec>(
  declared.FlowSchemaSpec,
  declared.PriorityLevelConfigurationReference,
  declared.FlowDistinguisherMethod,
  declared.PolicyRulesWithSubjects,
  declared.Subject,
  declared.UserSubject,
  declared.GroupSubject,
  declared.ServiceAccountSubject,
  declared.ResourcePolicyRule,
  declared.NonResourcePolicyRule,
)

export const flowSchemaTable = declareTable<FlowSchema>(FlowSchema, {
  PriorityLevel: ({ spec }) => spec.priorityLevelConfiguration.name,
  MatchingPrecedence: ({ spec }) => spec.matchingPrecedence ?? 0,
  DistinguisherMethod: ({ spec }) => spec.distinguisherMethod?.type ?? '<none>',
  MissingPL: ({ status }) => (status.conditions ?? []).find(({ type }) => type === 'Dangling')?.status ?? '?',
})

export const flowSchemaStrategy = declareStrategy<FlowSchema>(FlowSchema, {
  intent: ({ spec }) => [spec],
  validate: validateFlowSchema,
  subresources: {
    status: {
      prepareUpdate(draft, old) {
        draft.spec = old.spec as Draft<FlowSchemaSpec>
        keepMetadata(draft, old)
      },
      validateUpdate: ({ status }) => validateFlowConditions(status.conditions),
    },
  },
})

/** Does not validate the status, which is empty or unchanged. */
function validateFlowSchema({ metadata, spec }: FlowSchema): readonly field.FieldError[] {
  const { name = '' } = metadata
  const fixed = memberOf(mandatoryFlowSchemas, name)
  const detail = `spec of '${name}' must equal the fixed value`
  return [
    ...validatePrecedence(spec.matchingPrecedence ?? 0, name),
    ...validateMethod(spec),
    ...validateLevel(spec),
    ...(spec.rules ?? []).flatMap((rule, i) => validateFlowRule(rule, specPath.child('rules').index(i))),
    ...(fixed && !isSame(spec, fixed) ? [field.invalid(specPath, shownSpec(spec), detail)] : field.none),
  ]
}

function validatePrecedence(precedence: number, name: string): readonly field.FieldError[] {
  const path = specPath.child('matchingPrecedence')
  if (precedence <= 0) return [field.invalid(path, precedence, 'must be a positive value')]
  if (precedence > lastPrecedence)
    return [field.invalid(path, precedence, `must not be greater than ${lastPrecedence}`)]
  if (precedence > 1 || name === 'exempt') return field.none
  return [field.invalid(path, precedence, "only the schema named 'exempt' may have matchingPrecedence 1")]
}

/** Errors of the type contain the whole method. */
function validateMethod({ distinguisherMethod }: FlowSchemaSpec): readonly field.FieldError[] {
  const methods = ['ByNamespace', 'ByUser']
  if (!distinguisherMethod || methods.includes(distinguisherMethod.type)) return field.none
  const path = specPath.child('distinguisherMethod', 'type')
  return [field.notSupported(path, { Type: distinguisherMethod.type }, methods)]
}

function validateLevel({ priorityLevelConfiguration: { name } }: FlowSchemaSpec): readonly field.FieldError[] {
  const path = specPath.child('priorityLevelConfiguration', 'name')
  if (name === '') return [field.required(path, 'must reference a priority level')]
  return field.invalidForEach(path, name, dnsSubdomain(name))
}
