import * as field from '../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../schema/field-path.js'
import type { Draft } from '../../../schema/infer.js'
import { internalForm } from '../../../schema/internal-form.js'
import { memberOf } from '../../../schema/json-value.js'
import { declareTable } from '../../../schema/schema.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { keepMetadata } from '../../metadata/status-metadata.js'
import { isSame } from '../../validation/immutability.js'
import { validateFlowConditions } from './flow-condition-validation.js'
import { mandatoryPriorityLevels } from './mandatory-flows.js'
import * as declared from './priority-level-configuration.js'
import {
  type ExemptPriorityLevelConfiguration,
  type LimitedPriorityLevelConfiguration,
  type LimitResponse,
  PriorityLevelConfiguration,
  type PriorityLevelConfigurationSpec,
  type QueuingConfiguration,
} from './priority-level-configuration.js'

const specPath = fieldPath('spec')

const shownSpec = internalForm<PriorityLevelConfigurationSpec>(
  declared.PriorityLevelConfigurationSpec,
  declared.LimitedPriorityLevelConfiguration,
  declared.LimitResponse,
  declared.QueuingConfiguration,
  declared.ExemptPriorityLevelConfiguration,
)

export const priorityLevelConfigurationTable = declareTable<PriorityLevelConfiguration>(PriorityLevelConfiguration, {
  Type: ({ spec }) => spec.type,
  NominalConcurrencyShares: ({ spec }) => spec.limited?.nominalConcurrencyShares ?? '<none>',
  Queues: ({ spec }) => queuingOf(spec)?.queues ?? '<none>',
  HandSize: ({ spec }) => queuingOf(spec)?.handSize ?? '<none>',
  QueueLengthLimit: ({ spec }) => queuingOf(spec)?.queueLengthLimit ?? '<none>',
})

function queuingOf({ limited }: PriorityLevelConfigurationSpec): QueuingConfiguration | undefined {
  return limited?.limitResponse?.queuing
}

export const priorityLevelConfigurationStrategy = declareStrategy<PriorityLevelConfiguration>(
  PriorityLevelConfiguration,
  {
    intent: ({ spec }) => [spec],
    validate: ({ metadata: { name = '' }, spec }) => [...validateType(spec, name), ...validateMandatory(spec, name)],
    subresources: {
      status: {
        prepareUpdate(draft, old) {
          draft.spec = old.spec as Draft<PriorityLevelConfigurationSpec>
          keepMetadata(draft, old)
        },
        validateUpdate: ({ status }) => validateFlowConditions(status.conditions),
      },
    },
  },
)

function validateType(spec: PriorityLevelConfigurationSpec, name: string): readonly field.FieldError[] {
  const { type } = spec
  const errors: field.FieldError[] = []
  if ((name === 'exempt') !== (type === 'Exempt'))
    errors.push(field.invalid(specPath.child('type'), type, "must be 'Exempt' if and only if `name` is 'exempt'"))
  if (type === 'Exempt') return [...errors, ...validateExemptType(spec)]
  if (type === 'Limited') return [...errors, ...validateLimitedType(spec)]
  return [...errors, field.notSupported(specPath.child('type'), type, ['Exempt', 'Limited'])]
}

function validateExemptType({ exempt, limited }: PriorityLevelConfigurationSpec): readonly field.FieldError[] {
  return [
    ...(limited ? [field.forbidden(specPath.child('limited'), 'must be nil if the type is not Limited')] : []),
    ...(exempt ? validateExempt(exempt, specPath.child('exempt')) : []),
  ]
}

function validateLimitedType({ exempt, limited }: PriorityLevelConfigurationSpec): readonly field.FieldError[] {
  return [
    ...(exempt ? [field.forbidden(specPath.child('exempt'), 'must be nil if the type is Limited')] : []),
    ...(limited
      ? validateLimited(limited, specPath.child('limited'))
      : [field.required(specPath.child('limited'), 'must not be empty when type is Limited')]),
  ]
}

function validateExempt(exempt: ExemptPriorityLevelConfiguration, path: FieldPath): readonly field.FieldError[] {
  return [
    ...validateShares(exempt.nominalConcurrencyShares, path.child('nominalConcurrencyShares')),
    ...validatePercent(exempt.lendablePercent, path.child('lendablePercent')),
  ]
}

function validateLimited(limited: LimitedPriorityLevelConfiguration, path: FieldPath): readonly field.FieldError[] {
  const { borrowingLimitPercent = 0 } = limited
  return [
    ...validateShares(limited.nominalConcurrencyShares, path.child('nominalConcurrencyShares')),
    ...validateResponse(limited.limitResponse, path.child('limitResponse')),
    ...validatePercent(limited.lendablePercent, path.child('lendablePercent')),
    ...(borrowingLimitPercent < 0
      ? [
          field.invalid(
            path.child('borrowingLimitPercent'),
            borrowingLimitPercent,
            'if specified, must be a non-negative integer',
          ),
        ]
      : []),
  ]
}

function validateShares(shares: number | undefined | null, path: FieldPath): readonly field.FieldError[] {
  return (shares ?? 0) < 0 ? [field.invalid(path, shares, 'must be a non-negative integer')] : field.none
}

function validatePercent(percent: number | undefined, path: FieldPath): readonly field.FieldError[] {
  if (percent === undefined || (percent >= 0 && percent <= 100)) return field.none
  return [field.invalid(path, percent, 'must be between 0 and 100, inclusive')]
}

function validateResponse(response: LimitResponse | undefined, path: FieldPath): readonly field.FieldError[] {
  const { type = '', queuing } = response ?? {}
  const queuingPath = path.child('queuing')
  if (type === 'Reject')
    return queuing
      ? [field.forbidden(queuingPath, 'must be nil if limited.limitResponse.type is not Limited')]
      : field.none
  if (type !== 'Queue') return [field.notSupported(path.child('type'), type, ['Queue', 'Reject'])]
  if (!queuing) return [field.required(queuingPath, 'must not be empty if limited.limitResponse.type is Limited')]
  return validateQueuing(queuing, queuingPath)
}

const mostQueues = 10_000_000
/** The bits of the hash from which shuffle sharding deals a hand of queues. */
const hashBits = 60

function validateQueuing(queuing: QueuingConfiguration, path: FieldPath): readonly field.FieldError[] {
  const { queues = 0, handSize = 0, queueLengthLimit = 0 } = queuing
  const errors: field.FieldError[] = []
  if (queueLengthLimit <= 0)
    errors.push(field.invalid(path.child('queueLengthLimit'), queueLengthLimit, 'must be positive'))
  if (queues <= 0) errors.push(field.invalid(path.child('queues'), queues, 'must be positive'))
  else if (queues > mostQueues)
    errors.push(field.invalid(path.child('queues'), queues, `must not be greater than ${mostQueues}`))
  const problem = handProblem(queues, handSize)
  if (problem !== undefined) errors.push(field.invalid(path.child('handSize'), handSize, problem))
  return errors
}

function handProblem(queues: number, handSize: number): string | undefined {
  if (handSize <= 0) return 'must be positive'
  if (handSize > queues) return `should not be greater than queues (${queues})`
  if (Math.ceil(Math.log2(queues) * handSize) <= hashBits) return undefined
  return `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${hashBits}`
}

/** Mandatory levels are immutable, except for the lending of the exempt level. */
function validateMandatory(spec: PriorityLevelConfigurationSpec, name: string): readonly field.FieldError[] {
  const fixed = memberOf(mandatoryPriorityLevels, name)
  if (!fixed) return field.none
  const isExempt = name === 'exempt'
  if (isSame(isExempt ? { ...spec, exempt: fixed.exempt } : spec, fixed)) return field.none
  const but = isExempt ? " except the 'spec.exempt' field" : ''
  return [field.invalid(specPath, shownSpec(spec), `spec of '${name}'${but} must equal the fixed value`)]
}
