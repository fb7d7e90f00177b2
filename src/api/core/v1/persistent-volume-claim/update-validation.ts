import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../../schema/field-path.js'
import { labelKey } from '../../../../schema/label-names.js'
import { Quantity } from '../../../../schema/values/quantity.js'
import { immutable, isSame } from '../../../validation/immutability.js'
import { checkQuantity, storageClassAnnotation } from '../persistent-volume/storage-validation.js'
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '../persistent-volume-claim.js'
import { isNativeResource } from '../resource-requirements/resource-names.js'

const specPath = fieldPath('spec')

/** Rejects changes of a claim, except for its volume, and, if it is bound, more storage or another attributes class. */
export function claimChangeErrors(claim: PersistentVolumeClaim, old: PersistentVolumeClaim): readonly FieldError[] {
  const errors: FieldError[] = []
  const annotation = claim.metadata.annotations?.[storageClassAnnotation]
  const oldAnnotation = old.metadata.annotations?.[storageClassAnnotation]
  const isUpgraded = isClassTakenFromAnnotation(claim, old)
  if (!isUpgraded && (annotation ?? '') !== (oldAnnotation ?? ''))
    errors.push(
      field.invalid(fieldPath('metadata', 'annotations', storageClassAnnotation), annotation ?? '', immutable),
    )
  if (!isSame(fixedParts(claim.spec, claim, old), fixedParts(old.spec, claim, old)))
    errors.push(field.forbidden(specPath, specIsImmutable))
  if (requested(claim).compare(requested(old)) < 0 && requested(claim).compare(capacity(old)) <= 0)
    errors.push(
      field.forbidden(specPath.child('resources', 'requests', 'storage'), 'field can not be less than status.capacity'),
    )
  if (claim.spec.volumeMode !== old.spec.volumeMode)
    errors.push(field.invalid(fieldPath('volumeMode'), claim.spec.volumeMode, immutable))
  checkAttributesClass(claim, old, errors)
  return errors
}

const specIsImmutable =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'

/** The spec of a claim without the fields that this update may change, for comparison. */
function fixedParts(
  spec: PersistentVolumeClaimSpec,
  claim: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
): unknown {
  const isBound = claim.status.phase === 'Bound'
  const { resources, volumeName, storageClassName, volumeAttributesClassName, ...rest } = spec
  return {
    ...rest,
    volumeName: old.spec.volumeName ? volumeName : '',
    storageClassName: isClassGivenLate(claim, old) ? '' : storageClassName,
    volumeAttributesClassName: isBound ? '' : volumeAttributesClassName,
    limits: comparable(resources?.limits),
    requests: comparable(resources?.requests, isBound ? 'storage' : undefined),
  }
}

/** Quantities in canonical form, so that equal ones compare as equal. */
function comparable(amounts: Readonly<Record<string, string>> | undefined, without?: string): readonly string[] {
  return Object.entries(amounts ?? {})
    .filter(([name]) => name !== without)
    .map(([name, quantity]) => `${name}=${Quantity.parse(quantity).toNumber()}`)
    .sort()
}

/** Whether a claim without a class gets one. Not allowed if an annotation has another class. */
function isClassGivenLate({ spec }: PersistentVolumeClaim, old: PersistentVolumeClaim): boolean {
  const annotation = old.metadata.annotations?.[storageClassAnnotation]
  if (spec.storageClassName === undefined || old.spec.storageClassName !== undefined) return false
  return annotation === undefined || annotation === spec.storageClassName
}

/** Whether the class moves from the annotation to the field. */
function isClassTakenFromAnnotation(claim: PersistentVolumeClaim, old: PersistentVolumeClaim): boolean {
  const oldAnnotation = old.metadata.annotations?.[storageClassAnnotation]
  const annotation = claim.metadata.annotations?.[storageClassAnnotation]
  if (oldAnnotation === undefined || old.spec.storageClassName !== undefined) return false
  return claim.spec.storageClassName === oldAnnotation && (annotation === undefined || annotation === oldAnnotation)
}

function requested({ spec }: PersistentVolumeClaim): Quantity {
  return Quantity.parse(spec.resources?.requests?.storage ?? '0')
}

function capacity({ status }: PersistentVolumeClaim): Quantity {
  return Quantity.parse(status.capacity?.storage ?? '0')
}

/** The attributes class of a volume can be changed, but not removed. */
function checkAttributesClass(claim: PersistentVolumeClaim, old: PersistentVolumeClaim, errors: FieldError[]): void {
  const name = claim.spec.volumeAttributesClassName
  if (name === old.spec.volumeAttributesClassName || name || old.status.currentVolumeAttributesClassName === undefined)
    return
  const shown = name === undefined ? 'nil' : 'empty string'
  errors.push(
    field.forbidden(
      specPath.child('volumeAttributesClassName'),
      `update to ${shown} is forbidden when status.currentVolumeAttributesClassName is not nil`,
    ),
  )
}

/** Sorted, as in messages. */
const resizeStatuses = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
]

/** Validates the status of a claim. */
export function claimStatusErrors({ spec, status }: PersistentVolumeClaim): readonly FieldError[] {
  const errors: FieldError[] = []
  if (!spec.accessModes?.length) errors.push(field.required(fieldPath('Spec', 'accessModes')))
  checkAmounts(status.capacity, fieldPath('status', 'capacity'), errors)
  checkResizing(status.allocatedResourceStatuses, fieldPath('status', 'allocatedResourceStatus'), errors)
  checkAmounts(status.allocatedResources, fieldPath('status', 'allocatedResources'), errors, resourceErrors)
  return errors
}

function checkResizing(
  statuses: Readonly<Record<string, string>> | undefined,
  path: FieldPath,
  errors: FieldError[],
): void {
  for (const [name, status] of Object.entries(statuses ?? {})) {
    errors.push(...resourceErrors(name, path))
    if (!resizeStatuses.includes(status)) errors.push(field.notSupported(path, name, resizeStatuses))
  }
}

/** Validates the quantity of a resource only if its name is valid. */
function checkAmounts(
  amounts: Readonly<Record<string, string>> | undefined,
  path: FieldPath,
  errors: FieldError[],
  wrongName: (name: string, path: FieldPath) => readonly FieldError[] = () => field.none,
): void {
  for (const [name, quantity] of Object.entries(amounts ?? {})) {
    const wrong = wrongName(name, path)
    errors.push(...wrong)
    if (wrong.length === 0) checkQuantity(quantity, path.key(name), errors)
  }
}

/** The only native resource of a claim is storage. */
function resourceErrors(name: string, path: FieldPath): readonly FieldError[] {
  const wrong = field.invalidForEach(path, name, labelKey(name))
  if (wrong.length > 0 || !isNativeResource(name) || name === 'storage') return wrong
  return [field.notSupported(path, name, ['storage'])]
}
