import type { FieldError } from '../../../schema/field-errors.js'
import { fieldPath } from '../../../schema/field-path.js'
import { declareDefaults, declareTable } from '../../../schema/schema.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { deprecatedLabelNotice } from '../../core/v1/affinity/deprecated-node-labels.js'
import { validateOptionalChoice } from '../../validation/choices.js'
import { validateImmutable } from '../../validation/immutability.js'
import { checkDriver, checkParameters } from './driver-parameters.js'
import { StorageClass } from './storage-class.js'
import { checkTopologies } from './topology-validation.js'

export const storageClassStrategy = declareStrategy<StorageClass>(StorageClass, {
  validate: classErrors,
  validateUpdate: (storageClass, old) => [...classErrors(storageClass), ...changeErrors(storageClass, old)],
  warnings: ({ allowedTopologies = [] }) =>
    allowedTopologies.flatMap(({ matchLabelExpressions = [] }, i) =>
      matchLabelExpressions.flatMap(({ key }, j) => {
        const notice = deprecatedLabelNotice(key)
        return notice === undefined ? [] : [`allowedTopologies[${i}].matchLabelExpressions[${j}].key: ${notice}`]
      }),
    ),
})

const defaultAnnotations = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
]

export const storageClassDefaults = declareDefaults<StorageClass>(StorageClass, (draft) => {
  draft.reclaimPolicy ??= 'Delete'
  draft.volumeBindingMode ??= 'Immediate'
})

export const storageClassTable = declareTable<StorageClass>(StorageClass, {
  Name({ metadata: { name = '', annotations = {} } }) {
    return defaultAnnotations.some((key) => annotations[key] === 'true') ? `${name} (default)` : name
  },
  Provisioner: ({ provisioner }) => provisioner,
  ReclaimPolicy: ({ reclaimPolicy = 'Delete' }) => reclaimPolicy,
  VolumeBindingMode: ({ volumeBindingMode = 'Immediate' }) => volumeBindingMode,
  AllowVolumeExpansion: ({ allowVolumeExpansion = false }) => allowVolumeExpansion,
})

function classErrors(storageClass: StorageClass): readonly FieldError[] {
  const { provisioner, parameters, reclaimPolicy, volumeBindingMode, allowedTopologies } = storageClass
  const errors: FieldError[] = []
  checkDriver(provisioner, fieldPath('provisioner'), errors)
  checkParameters(parameters, fieldPath('parameters'), errors)
  errors.push(
    ...validateOptionalChoice(reclaimPolicy || undefined, fieldPath('reclaimPolicy'), ['Delete', 'Retain']),
    ...validateOptionalChoice(volumeBindingMode, fieldPath('volumeBindingMode'), ['Immediate', 'WaitForFirstConsumer']),
  )
  checkTopologies(allowedTopologies, fieldPath('allowedTopologies'), errors)
  return errors
}

const fixed = ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'] as const

/** Volumes were made from it: what they were promised stays. */
function changeErrors(storageClass: StorageClass, old: StorageClass): readonly FieldError[] {
  return fixed.flatMap((name) => validateImmutable(storageClass[name], old[name], fieldPath(name)))
}
