import * as field from '../../../schema/field-errors.js'
import { fieldPath } from '../../../schema/field-path.js'
import type { Draft } from '../../../schema/infer.js'
import { dns1035Label, dnsSubdomain } from '../../../schema/names.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { keepMetadata } from '../../metadata/status-metadata.js'
import { validateConditions } from '../../validation/conditions.js'
import { immutable, validateImmutable } from '../../validation/immutability.js'
import {
  StorageVersionMigration,
  type StorageVersionMigrationSpec,
  type StorageVersionMigrationStatus,
} from './storage-version-migration.js'

const specPath = fieldPath('spec')
const conditionsPath = fieldPath('status', 'conditions')
const revisionPath = fieldPath('status', 'resourceVersion')

export const storageVersionMigrationStrategy = declareStrategy<StorageVersionMigration>(StorageVersionMigration, {
  intent: ({ spec }) => [spec],
  updatedUnconditionally: false,
  prepareCreate(draft) {
    draft.status = {}
  },
  prepareUpdate(draft, old) {
    draft.status = old.status as Draft<StorageVersionMigrationStatus>
  },
  validate: ({ spec }) => validateSpec(spec),
  validateUpdate: ({ spec }, old) => [...validateSpec(spec), ...validateImmutable(spec, old.spec, specPath)],
  subresources: {
    status: {
      prepareUpdate(draft, old) {
        draft.spec = old.spec as Draft<StorageVersionMigrationSpec>
        keepMetadata(draft, old)
      },
      validateUpdate: ({ status }, old) => validateStatusUpdate(status, old.status),
    },
  },
})

function validateSpec({
  resource: { group = '', resource },
}: StorageVersionMigrationSpec): readonly field.FieldError[] {
  const path = specPath.child('resource')
  const resourceMessages = resource === '' ? [] : dns1035Label(resource)
  const groupMessages = group === '' ? [] : dnsSubdomain(group)
  return [
    ...(resource === '' ? [field.required(path.child('resource'), 'resource is required to be set')] : []),
    ...(resourceMessages.length > 0
      ? [field.invalid(path.child('resource'), resource, resourceMessages.join(','))]
      : []),
    ...(groupMessages.length > 0 ? [field.invalid(path.child('group'), group, groupMessages.join(','))] : []),
  ]
}

function validateStatusUpdate(
  status: StorageVersionMigrationStatus,
  old: StorageVersionMigrationStatus,
): readonly field.FieldError[] {
  const { resourceVersion = '' } = status
  return [
    ...validateRevision(resourceVersion),
    ...validateConditions(status.conditions, conditionsPath),
    ...(old.resourceVersion && old.resourceVersion !== resourceVersion
      ? [field.invalid(revisionPath, resourceVersion, immutable)]
      : []),
    ...outcomeProblems(status, old).map((detail) => field.invalid(conditionsPath, status.conditions, detail)),
  ]
}

function validateRevision(revision: string): readonly field.FieldError[] {
  if (/^(0|[1-9]\d*)$/.test(revision)) return field.none
  const why = revision === '' ? 'resource version is empty' : 'resource version is not well formed'
  return [field.invalid(revisionPath, revision, `${why}: ${revision}`)]
}

/** A migration has one final condition, which is immutable. */
function outcomeProblems(status: StorageVersionMigrationStatus, old: StorageVersionMigrationStatus): readonly string[] {
  const [succeeded, failed, running] = ['Succeeded', 'Failed', 'Running'].map((type) => isTrue(status, type))
  const problems: string[] = []
  if (succeeded && failed) problems.push('Both success and failed conditions cannot be true at the same time')
  if (succeeded && running) problems.push('Running condition cannot be true when success condition is true')
  if (failed && running) problems.push('Running condition cannot be true when failed condition is true')
  if (isTrue(old, 'Succeeded') && !succeeded) problems.push('Success condition cannot be set to false once it is true')
  if (isTrue(old, 'Failed') && !failed) problems.push('Failed condition cannot be set to false once it is true')
  return problems
}

function isTrue({ conditions }: StorageVersionMigrationStatus, type: string): boolean {
  return (conditions ?? []).find((condition) => condition.type === type)?.status === 'True'
}
