/** Validates volumes whose files the kubelet writes: from secrets, config maps, the downward API, and tokens. */

import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { declareDefaults } from '../../../../schema/schema.js'
import { validateDescendingPath } from '../../../validation/paths.js'
import { checkRequired } from '../../../validation/required-fields.js'
import { validateFieldSelector, validateResourceSelector } from '../container/downward-api-validation.js'
import {
  type ConfigMapVolumeSource,
  type DownwardAPIVolumeFile,
  type DownwardAPIVolumeSource,
  type KeyToPath,
  type ProjectedVolumeSource,
  type SecretVolumeSource,
  type ServiceAccountTokenProjection,
  VolumeProjection,
} from './projection.js'

/** Silently drops trust bundles and pod certificates, which this cluster does not serve. */
export const volumeProjectionDefaults = declareDefaults<VolumeProjection>(VolumeProjection, (draft) => {
  if (draft.clusterTrustBundle) delete draft.clusterTrustBundle
  if (draft.podCertificate) delete draft.podCertificate
})

export function checkSecretVolume(source: SecretVolumeSource, path: FieldPath, errors: FieldError[]): void {
  checkRequired(source, ['secretName'], path, errors)
  checkFileMode(source.defaultMode, path.child('defaultMode'), errors)
  checkItems(source.items, path, errors)
}

export function checkConfigMapVolume(source: ConfigMapVolumeSource, path: FieldPath, errors: FieldError[]): void {
  checkRequired(source, ['name'], path, errors)
  checkFileMode(source.defaultMode, path.child('defaultMode'), errors)
  checkItems(source.items, path, errors)
}

function checkItems(items: readonly KeyToPath[] | undefined, path: FieldPath, errors: FieldError[]): void {
  items?.forEach((item, i) => {
    checkItem(item, path.child('items').index(i), errors)
  })
}

function checkItem(item: KeyToPath, path: FieldPath, errors: FieldError[]): void {
  checkRequired(item, ['key', 'path'], path, errors)
  checkFilePath(item.path, path.child('path'), errors)
  checkFileMode(item.mode, path.child('mode'), errors)
}

/** Errors of files have the path of the volume, not of the item. */
export function checkDownwardApiVolume(source: DownwardAPIVolumeSource, path: FieldPath, errors: FieldError[]): void {
  checkFileMode(source.defaultMode, path.child('defaultMode'), errors)
  for (const file of source.items ?? []) checkDownwardApiFile(file, path, errors)
}

/** Sorted, as in messages. */
const fileFields = ['metadata.annotations', 'metadata.labels', 'metadata.name', 'metadata.namespace', 'metadata.uid']

function checkDownwardApiFile(file: DownwardAPIVolumeFile, path: FieldPath, errors: FieldError[]): void {
  checkRequired(file, ['path'], path, errors)
  checkFilePath(file.path, path.child('path'), errors)
  if (file.fieldRef) {
    errors.push(...validateFieldSelector(file.fieldRef, path.child('fieldRef'), fileFields))
    if (file.resourceFieldRef)
      errors.push(field.invalid(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'))
  } else if (file.resourceFieldRef)
    errors.push(...validateResourceSelector(file.resourceFieldRef, path.child('resourceFieldRef'), { inFile: true }))
  else errors.push(field.required(path, 'one of fieldRef and resourceFieldRef is required'))
  checkFileMode(file.mode, path.child('mode'), errors)
}

export function checkProjectedVolume(source: ProjectedVolumeSource, path: FieldPath, errors: FieldError[]): void {
  checkFileMode(source.defaultMode, path.child('defaultMode'), errors)
  const projection = new Projection(path, errors)
  source.sources?.forEach((part, i) => {
    projection.check(part, path.child('sources').index(i))
  })
}

function partsOf(source: VolumeProjection): number {
  let parts = 0
  for (const name in source) if (source[name as keyof VolumeProjection]) parts++
  return parts
}

/** A volume of several sources, which must not write the same file. */
class Projection {
  readonly #path: FieldPath
  readonly #errors: FieldError[]
  readonly #files = new Set<string>()

  constructor(path: FieldPath, errors: FieldError[]) {
    this.#path = path
    this.#errors = errors
  }

  check(source: VolumeProjection, path: FieldPath): void {
    if (source.secret) this.#checkKeys(source.secret, path.child('secret'))
    if (source.configMap) this.#checkKeys(source.configMap, path.child('configMap'))
    if (source.downwardAPI) this.#checkDownwardApi(source.downwardAPI.items ?? [], path.child('downwardAPI'))
    if (source.serviceAccountToken) this.#checkToken(source.serviceAccountToken, path.child('serviceAccountToken'))
    if (partsOf(source) > 1)
      this.#errors.push(field.forbidden(path, 'may not specify more than 1 volume type per source'))
  }

  #checkKeys(source: { readonly name?: string; readonly items?: readonly KeyToPath[] }, path: FieldPath): void {
    checkRequired(source, ['name'], path, this.#errors)
    source.items?.forEach((item, i) => {
      checkItem(item, path.child('items').index(i), this.#errors)
      this.#claim(item.path, source.name ?? '')
    })
  }

  #checkDownwardApi(files: readonly DownwardAPIVolumeFile[], path: FieldPath): void {
    for (const file of files) {
      checkDownwardApiFile(file, path, this.#errors)
      this.#claim(file.path, file.path)
    }
  }

  /** Errors of the token's file path have the path of the volume. */
  #checkToken({ expirationSeconds = 0, path: file }: ServiceAccountTokenProjection, path: FieldPath): void {
    const expiration = path.child('expirationSeconds')
    checkTokenExpiration(expirationSeconds, expiration, this.#errors)
    if (file === '') this.#errors.push(field.required(this.#path.child('path')))
    else checkFilePath(file, this.#path.child('path'), this.#errors)
  }

  #claim(file: string, shown: string): void {
    if (file === '') return
    if (this.#files.has(file)) this.#errors.push(field.invalid(this.#path, shown, 'conflicting duplicate paths'))
    this.#files.add(file)
  }
}

/** Validates the requested lifetime of a token. */
export function checkTokenExpiration(seconds: number, path: FieldPath, errors: FieldError[]): void {
  if (seconds < 600) errors.push(field.invalid(path, seconds, 'may not specify a duration less than 10 minutes'))
  if (seconds > 2 ** 32)
    errors.push(field.invalid(path, seconds, 'may not specify a duration larger than 2^32 seconds'))
}

/** Files that the kubelet writes into volumes. */

/** Rejects names that start with two dots, which are reserved for the kubelet. */
export function checkFilePath(value: string, path: FieldPath, errors: FieldError[]): void {
  const wrong = validateDescendingPath(value, path)
  if (wrong.length > 0) errors.push(...wrong)
  if (value.startsWith('..') && !value.startsWith('../'))
    errors.push(field.invalid(path, value, "must not start with '..'"))
}

export function checkFileMode(mode: number | undefined, path: FieldPath, errors: FieldError[]): void {
  if (mode !== undefined && (mode < 0 || mode > 0o777))
    errors.push(field.invalid(path, mode, 'must be a number between 0 and 0777 (octal), both inclusive'))
}
