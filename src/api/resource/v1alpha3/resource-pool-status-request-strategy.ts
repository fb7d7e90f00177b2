import * as field from '../../../schema/field-errors.js'
import { fieldPath } from '../../../schema/field-path.js'
import type { Draft } from '../../../schema/infer.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { keepMetadata } from '../../metadata/status-metadata.js'
import { validateConditions } from '../../validation/conditions.js'
import { validateImmutable } from '../../validation/immutability.js'
import { validateDriverName, validatePoolName } from '../v1/device/name-validation.js'
import { ResourcePoolStatusRequest, type ResourcePoolStatusRequestSpec } from './resource-pool-status-request.js'

const specPath = fieldPath('spec')
const mostPools = 1000

/** Spec and status can each be set once. */
export const resourcePoolStatusRequestStrategy = declareStrategy<ResourcePoolStatusRequest>(ResourcePoolStatusRequest, {
  prepareCreate(draft) {
    delete draft.status
  },
  prepareUpdate(draft, old) {
    delete draft.status
    if (old.status) draft.status = old.status as Draft<NonNullable<ResourcePoolStatusRequest['status']>>
  },
  validate: ({ spec }) => validateSpec(spec),
  validateUpdate: ({ spec }, old) => validateImmutable(spec, old.spec, specPath),
  subresources: {
    status: {
      prepareUpdate(draft, old) {
        draft.spec = old.spec as Draft<ResourcePoolStatusRequestSpec>
        keepMetadata(draft, old)
      },
      validateUpdate: ({ status }, old) =>
        old.status
          ? validateImmutable(status, old.status, fieldPath('status'))
          : validateConditions(status?.conditions, fieldPath('status', 'conditions')),
    },
  },
})

function validateSpec({ driver, poolName, limit = 1 }: ResourcePoolStatusRequestSpec): readonly field.FieldError[] {
  return [
    ...validateDriverName(driver, specPath.child('driver')),
    ...(poolName === undefined ? [] : validatePoolName(poolName, specPath.child('poolName'))),
    ...(limit < 1 ? [field.invalid(specPath.child('limit'), limit, 'must be greater than or equal to 1')] : []),
    ...(limit > mostPools
      ? [field.invalid(specPath.child('limit'), limit, `must be less than or equal to ${mostPools}`)]
      : []),
  ]
}
