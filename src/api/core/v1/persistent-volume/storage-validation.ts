/** Validates the common fields of claims and persistent volumes: storage and access modes. */
import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../../schema/field-path.js'
import { Quantity } from '../../../../schema/values/quantity.js'
import type { ObjectMeta } from '../../../meta/v1/object-meta.js'

export const volumeModes = ['Block', 'Filesystem']

/** The access modes in the order of messages, with their short forms in tables. */
const accessModes = { ReadWriteOnce: 'RWO', ReadOnlyMany: 'ROX', ReadWriteMany: 'RWX', ReadWriteOncePod: 'RWOP' }
const sortedAccessModes = Object.keys(accessModes).sort()

/** The annotation that preceded the field `storageClassName`. */
export const storageClassAnnotation = 'volume.beta.kubernetes.io/storage-class'

export function checkAccessModes(modes: readonly string[] | undefined, path: FieldPath, errors: FieldError[]): void {
  let forOnePod = false
  let forMore = false
  for (const mode of modes ?? []) {
    if (mode === 'ReadWriteOncePod') forOnePod = true
    else if (sortedAccessModes.includes(mode)) forMore = true
    else errors.push(field.notSupported(path, mode, sortedAccessModes))
  }
  if (forOnePod && forMore) errors.push(field.forbidden(path, 'may not use ReadWriteOncePod with other access modes'))
}

/** `RWO,ROX` */
export function accessModesCell(modes: readonly string[] = []): string {
  return Object.entries(accessModes)
    .filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',')
}

export function checkPositiveQuantity(quantity: string, path: FieldPath, errors: FieldError[]): void {
  if (Quantity.parse(quantity).sign() <= 0) errors.push(field.invalid(path, quantity, 'must be greater than zero'))
}

/** Errors print the quantity as a number. */
export function checkQuantity(quantity: string, path: FieldPath, errors: FieldError[]): void {
  const value = Quantity.parse(quantity).value()
  if (value < 0) errors.push(field.invalid(path, value, 'must be a valid resource quantity'))
}

const classAnnotationPath = fieldPath('metadata', 'annotations').key(storageClassAnnotation)

export function classAnnotationWarnings({ annotations }: ObjectMeta): readonly string[] {
  if (annotations?.[storageClassAnnotation] === undefined) return []
  return [`${classAnnotationPath}: deprecated since v1.8; use "storageClassName" attribute instead`]
}
