import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import { FieldPath } from '../../../../schema/field-path.js'
import { dnsLabel, dnsSubdomain } from '../../../../schema/names.js'
import { quote } from '../../../../schema/quote.js'
import { Quantity } from '../../../../schema/values/quantity.js'
import type { ObjectMeta } from '../../../meta/v1/object-meta.js'
import { validateAnnotations } from '../../../metadata/annotations.js'
import { validateLabels } from '../../../metadata/labels.js'
import { validateLabelSelector } from '../../../selectors/label-selector-validation.js'
import { validateOptionalChoice } from '../../../validation/choices.js'
import { checkRequired } from '../../../validation/required-fields.js'
import type { TypedLocalObjectReference, TypedObjectReference } from '../object-reference.js'
import { checkAccessModes, checkPositiveQuantity, volumeModes } from '../persistent-volume/storage-validation.js'
import type { PersistentVolumeClaimSpec, PersistentVolumeClaimTemplate } from '../persistent-volume-claim.js'

/** Validations to skip in an update, because the old claim is invalid under them. */
export interface ClaimLeniency {
  /** Accepts invalid label values in the selector. */
  readonly anyValue?: boolean
  /** Accepts groups of the data source that are not domain names. */
  readonly anyGroup?: boolean
}

/** The validations to skip for an update of `old`. */
export function claimLeniencyOf(old: PersistentVolumeClaimSpec): ClaimLeniency {
  return {
    anyValue: validateLabelSelector(old.selector, FieldPath.none).length > 0,
    anyGroup: Boolean(old.dataSource?.apiGroup ?? old.dataSourceRef?.apiGroup),
  }
}

/** Validates the spec of a claim. */
export function checkClaimSpec(
  spec: PersistentVolumeClaimSpec,
  path: FieldPath,
  errors: FieldError[],
  { anyValue = false, anyGroup = false }: ClaimLeniency = {},
): void {
  const modes = path.child('accessModes')
  if (!spec.accessModes?.length) errors.push(field.required(modes, 'at least 1 access mode is required'))
  errors.push(...validateLabelSelector(spec.selector, path.child('selector'), { anyValue }))
  checkAccessModes(spec.accessModes, modes, errors)
  checkStorageRequest(spec, path.child('resources').key('storage'), errors)
  checkClassName(spec.storageClassName, path.child('storageClassName'), errors)
  errors.push(...validateOptionalChoice(spec.volumeMode, path.child('volumeMode'), volumeModes))
  if (spec.dataSource) checkDataSource(spec.dataSource, anyGroup, path.child('dataSource'), errors)
  if (spec.dataSourceRef) checkDataSourceRef(spec.dataSourceRef, anyGroup, path.child('dataSourceRef'), errors)
  checkAgreement(spec, path, errors)
  checkClassName(spec.volumeAttributesClassName, path.child('volumeAttributesClassName'), errors)
}

function checkStorageRequest({ resources }: PersistentVolumeClaimSpec, path: FieldPath, errors: FieldError[]): void {
  const storage = resources?.requests?.storage
  if (storage === undefined) errors.push(field.required(path))
  else checkPositiveQuantity(storage, path, errors)
}

/** An empty name is valid: it means no class. */
export function checkClassName(name: string | undefined, path: FieldPath, errors: FieldError[]): void {
  if (name) errors.push(...field.invalidForEach(path, name, dnsSubdomain(name)))
}

function checkDataSource(
  source: TypedLocalObjectReference,
  anyGroup: boolean,
  path: FieldPath,
  errors: FieldError[],
): void {
  const group = source.apiGroup ?? ''
  checkRequired(source, ['name', 'kind'], path, errors)
  if (group === '' && source.kind !== 'PersistentVolumeClaim')
    errors.push(
      field.invalid(path, source.kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup"),
    )
  if (group !== '' && !anyGroup)
    errors.push(...field.invalidForEach(path.child('apiGroup'), group, dnsSubdomain(group)))
}

function checkDataSourceRef(
  source: TypedObjectReference,
  anyGroup: boolean,
  path: FieldPath,
  errors: FieldError[],
): void {
  checkDataSource(source, anyGroup, path, errors)
  const { namespace } = source
  if (namespace) errors.push(...field.invalidForEach(path.child('namespace'), namespace, dnsLabel(namespace)))
}

/** `dataSource` and `dataSourceRef` must be equal. The errors contain neither. */
function checkAgreement(
  { dataSource, dataSourceRef }: PersistentVolumeClaimSpec,
  path: FieldPath,
  errors: FieldError[],
): void {
  if (!dataSource || !dataSourceRef) return
  if (dataSourceRef.namespace)
    errors.push(field.invalid(path, {}, 'may not be specified when dataSourceRef.namespace is specified'))
  else if (!isSameSource(dataSource, dataSourceRef)) errors.push(field.invalid(path, {}, 'must match dataSourceRef'))
}

function isSameSource(one: TypedLocalObjectReference, other: TypedObjectReference): boolean {
  return (one.apiGroup ?? null) === (other.apiGroup ?? null) && one.kind === other.kind && one.name === other.name
}

/** Validates a claim template: labels, annotations and spec. */
export function checkClaimTemplate(
  { metadata = {}, spec }: PersistentVolumeClaimTemplate,
  path: FieldPath,
  errors: FieldError[],
): void {
  const place = path.child('metadata')
  errors.push(
    ...validateAnnotations(metadata.annotations, place.child('annotations')),
    ...validateLabels(metadata.labels, place.child('labels')),
  )
  for (const [name, shown] of foreignFields)
    if (metadata[name]) errors.push(field.forbidden(place.child(shown), 'cannot be set'))
  checkClaimSpec(spec, path.child('spec'), errors)
}

/** Metadata that templates may not have, with the names in errors. */
const foreignFields = [
  ['name', 'name'],
  ['generateName', 'generateName'],
  ['namespace', 'namespace'],
  ['selfLink', 'selfLink'],
  ['uid', 'uID'],
  ['resourceVersion', 'resourceVersion'],
  ['generation', 'generation'],
  ['creationTimestamp', 'creationTimestamp'],
  ['deletionTimestamp', 'deletionTimestamp'],
  ['deletionGracePeriodSeconds', 'deletionGracePeriodSeconds'],
  ['ownerReferences', 'ownerReferences'],
  ['finalizers', 'finalizers'],
  ['managedFields', 'managedFields'],
] as const satisfies readonly (readonly [keyof ObjectMeta, string])[]

/** Warnings about fractions of bytes. */
export function claimSpecWarnings({ resources }: PersistentVolumeClaimSpec, path: FieldPath): readonly string[] {
  const warnings: string[] = []
  for (const kind of ['requests', 'limits'] as const) {
    const storage = resources?.[kind]?.storage
    if (storage !== undefined && Quantity.parse(storage).milliValue() % 1000 !== 0)
      warnings.push(
        `${path.child('resources', kind).key('storage')}: fractional byte value ${quote(storage)} is invalid, must be an integer`,
      )
  }
  return warnings
}
