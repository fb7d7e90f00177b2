import { invalid } from '../../api/errors.js'
import { validateFieldManager } from '../../api/metadata/managed-fields.js'
import { managerName } from '../../schema/apply/managed-fields/managers.js'
import type { FieldValidation } from '../../schema/decode/decoder.js'
import * as field from '../../schema/field-errors.js'
import { fieldPath } from '../../schema/field-path.js'
import type { ApiRequest } from '../request/request-context.js'

/** The query parameters of a write. */
export interface WriteRequestOptions {
  readonly kind: string
  readonly dryRun: boolean
  /** The field manager: the owner of the fields that the write sets. */
  readonly manager: string
  readonly fieldValidation: FieldValidation
}

type OptionsKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions'

export function writeOptions({ query, headers }: ApiRequest, kind: OptionsKind): WriteRequestOptions {
  const userAgent = headers['user-agent'] ?? ''
  if (query.size === 0)
    return { kind, dryRun: false, manager: managerName(undefined, userAgent), fieldValidation: 'Warn' }
  const fieldManager = query.get('fieldManager') ?? ''
  rejectInvalidOptions(kind, [
    ...dryRunErrors(query.getAll('dryRun')),
    ...validateFieldManager(fieldManager, fieldPath('fieldManager')),
    ...fieldValidationErrors(query.get('fieldValidation') ?? ''),
  ])
  return {
    kind,
    dryRun: query.getAll('dryRun').length > 0,
    manager: managerName(fieldManager || undefined, userAgent),
    fieldValidation: (query.get('fieldValidation') || 'Warn') as FieldValidation,
  }
}

export function dryRunErrors(values: readonly string[]): readonly field.FieldError[] {
  const bad = values.some((value) => value !== 'All')
  return bad ? [field.notSupported(fieldPath('dryRun'), values, ['All'])] : field.none
}

const validations = ['', 'Ignore', 'Strict', 'Warn']

function fieldValidationErrors(value: string): readonly field.FieldError[] {
  return validations.includes(value)
    ? field.none
    : [field.notSupported(fieldPath('fieldValidation'), value, validations)]
}

/** Throws if there are errors. Options are objects of a kind, and invalid ones are rejected like other objects. */
export function rejectInvalidOptions(kind: string, errors: readonly field.FieldError[]): void {
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind }, '', errors)
}
