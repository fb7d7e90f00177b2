import type { FieldError } from '../../../schema/field-errors.js'
import * as field from '../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../schema/field-path.js'
import { labelKey } from '../../../schema/label-names.js'
import { declareDefaults, declareTable } from '../../../schema/schema.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { deprecatedLabelNotice } from '../../core/v1/affinity/deprecated-node-labels.js'
import type { TopologySelectorLabelRequirement, TopologySelectorTerm } from '../../core/v1/affinity/node-selector.js'
import { validateOptionalChoice } from '../../validation/choices.js'
import { validateImmutable } from '../../validation/immutability.js'
import { checkDriver, checkParameters } from './driver-parameters.js'
import { StorageClass } from './storage-class.js'

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

/** Rejects changes of fields on which existing volumes depend. */
function changeErrors(storageClass: StorageClass, old: StorageClass): readonly FieldError[] {
  return fixed.flatMap((name) => validateImmutable(storageClass[name], old[name], fieldPath(name)))
}

/** Validates the allowed topologies of a class. Terms must be distinct and not empty. */
export function checkTopologies(
  terms: readonly TopologySelectorTerm[] | undefined,
  path: FieldPath,
  errors: FieldError[],
): void {
  const seen = new Set<string>()
  terms?.forEach((term, i) => {
    const place = path.index(i).child('matchLabelExpressions')
    checkTerm(term, place, errors)
    const meaning = meaningOf(term)
    if (meaning === '') for (const _ of terms) errors.push(field.duplicate(place, ''))
    if (seen.has(meaning)) errors.push(field.duplicate(place, ''))
    seen.add(meaning)
  })
}

/** A canonical text: equal for equivalent terms. */
function meaningOf({ matchLabelExpressions = [] }: TopologySelectorTerm): string {
  const byKey = new Map(matchLabelExpressions.map(({ key, values }) => [key, [...new Set(values ?? [])].sort()]))
  return byKey.size === 0 ? '' : JSON.stringify([...byKey].sort(([one], [other]) => (one < other ? -1 : 1)))
}

function checkTerm({ matchLabelExpressions = [] }: TopologySelectorTerm, path: FieldPath, errors: FieldError[]): void {
  const keys = new Set<string>()
  matchLabelExpressions.forEach((requirement, i) => {
    checkRequirement(requirement, path.index(i), errors)
    const { key } = requirement
    if (keys.has(key)) errors.push(field.duplicate(path.index(i).child('key'), key))
    keys.add(key)
  })
}

function checkRequirement(
  { key, values }: TopologySelectorLabelRequirement,
  path: FieldPath,
  errors: FieldError[],
): void {
  const place = path.child('values')
  if (!values?.length) errors.push(field.required(place))
  values?.forEach((value, i) => {
    if (values.indexOf(value) < i) errors.push(field.duplicate(place.index(i), value))
  })
  errors.push(...field.invalidForEach(path.child('key'), key, labelKey(key)))
}
