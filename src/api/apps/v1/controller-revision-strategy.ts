import * as field from '../../../schema/field-errors.js'
import { fieldPath } from '../../../schema/field-path.js'
import { declareTable } from '../../../schema/schema.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { validateImmutable } from '../../validation/immutability.js'
import { validateNotNegative } from '../../validation/numbers.js'
import { ControllerRevision } from './controller-revision.js'

const dataPath = fieldPath('data')

export const controllerRevisionTable = declareTable<ControllerRevision>(ControllerRevision, {
  Controller: ({ metadata }) => {
    const owner = metadata.ownerReferences?.find(({ controller }) => controller)
    return owner ? `${kindAndGroup(owner.kind, owner.apiVersion).toLowerCase()}/${owner.name}` : '<none>'
  },
  Revision: ({ revision }) => revision,
})

/** `StatefulSet.apps`; the core group has no name. */
function kindAndGroup(kind: string, apiVersion: string): string {
  const [group, version] = apiVersion.split('/')
  return version === undefined ? kind : `${kind}.${group}`
}

/** A snapshot of a workload. It can be deleted, but its data cannot change. */
export const controllerRevisionStrategy = declareStrategy<ControllerRevision>(ControllerRevision, {
  validate: validateRevision,
  validateUpdate: (object, old) => [...validateRevision(object), ...validateImmutable(object.data, old.data, dataPath)],
})

function validateRevision({ data, revision }: ControllerRevision): readonly field.FieldError[] {
  const errors = validateNotNegative(revision, fieldPath('revision'))
  return data === undefined || data === null ? [field.required(dataPath, 'data is mandatory'), ...errors] : errors
}
