import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import { fieldPath } from '../../../../schema/field-path.js'
import { Quantity } from '../../../../schema/values/quantity.js'
import { immutable, isSame } from '../../../validation/immutability.js'
import { storageClassAnnotation } from '../persistent-volume/storage-validation.js'
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '../persistent-volume-claim.js'

const specPath = fieldPath('spec')

/** A claim stays what it was, but for the volume that it gets, and for more storage or another class once it has it. */
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

/** The spec of either claim without what this update may change, in a form that can be compared. */
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

/** Amounts that are equal compare as equal, in whatever unit. */
function comparable(amounts: Readonly<Record<string, string>> | undefined, without?: string): readonly string[] {
  return Object.entries(amounts ?? {})
    .filter(([name]) => name !== without)
    .map(([name, quantity]) => `${name}=${Quantity.parse(quantity).toNumber()}`)
    .sort()
}

/** A claim without a class may get one, unless an annotation already names another. */
function isClassGivenLate({ spec }: PersistentVolumeClaim, old: PersistentVolumeClaim): boolean {
  const annotation = old.metadata.annotations?.[storageClassAnnotation]
  if (spec.storageClassName === undefined || old.spec.storageClassName !== undefined) return false
  return annotation === undefined || annotation === spec.storageClassName
}

/** The class that an annotation names moves to the field, and the annotation may go. */
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

/** A class that was applied to a volume can be changed, not taken away. */
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
