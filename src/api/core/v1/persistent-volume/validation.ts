import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { dnsLabel } from '../../../../schema/names.js'
import { validateOptionalChoice } from '../../../validation/choices.js'
import { validatePathWithoutBacksteps } from '../../../validation/paths.js'
import { checkRequired, requires } from '../../../validation/required-fields.js'
import { type NodeSelectorLeniency, validateNodeSelector } from '../affinity/node-selector-validation.js'
import type { PersistentVolumeSpec } from '../persistent-volume.js'
import { checkClassName } from '../persistent-volume-claim/validation.js'
import {
  checkAwsElasticBlockStore,
  checkAzureDisk,
  checkCsiDriverName,
  checkFibreChannel,
  checkFlexVolume,
  checkFlocker,
  checkGcePersistentDisk,
  checkHostPath,
  checkNfs,
  checkQuobyte,
  checkSecretReference,
  checkStorageOs,
} from '../volume/driver-validation.js'
import { checkPersistentIscsi } from '../volume/iscsi-validation.js'
import { oneVolumeType } from '../volume/types.js'
import type {
  AzureFilePersistentVolumeSource,
  CinderPersistentVolumeSource,
  CSIPersistentVolumeSource,
  GlusterfsPersistentVolumeSource,
  LocalVolumeSource,
  StorageOSPersistentVolumeSource,
} from './drivers.js'
import { checkAccessModes, checkPositiveQuantity, checkQuantity, volumeModes } from './storage-validation.js'

export interface PersistentVolumeContext {
  /** The name of the volume. */
  readonly name: string
  /** Validations to skip, because the old volume is invalid under them. */
  readonly leniency?: NodeSelectorLeniency | undefined
}

/** The context for parts of the spec. */
interface StorageContext {
  readonly name: string
  readonly spec: PersistentVolumeSpec
  readonly path: FieldPath
}

/** Validates the spec of a persistent volume. */
export function checkPersistentVolumeSpec(
  spec: PersistentVolumeSpec,
  path: FieldPath,
  errors: FieldError[],
  { name, leniency }: PersistentVolumeContext,
): void {
  checkModes(spec, path, errors)
  checkCapacity(spec, path.child('capacity'), errors)
  const policy = spec.persistentVolumeReclaimPolicy || undefined
  errors.push(...validateOptionalChoice(policy, path.child('persistentVolumeReclaimPolicy'), reclaimPolicies))
  checkNodeAffinity(spec, path.child('nodeAffinity'), errors, leniency)
  checkStorage(errors, { name, spec, path })
  checkClassName(spec.storageClassName, path.child('storageClassName'), errors)
  errors.push(...validateOptionalChoice(spec.volumeMode, path.child('volumeMode'), volumeModes))
  checkAttributesClass(spec, path, errors)
}

const reclaimPolicies = ['Delete', 'Recycle', 'Retain']
const notInline = 'may not be specified in the context of inline volumes'

/** Validates the spec of an inline volume. */
export function checkInlineVolumeSpec(spec: PersistentVolumeSpec, path: FieldPath, errors: FieldError[]): void {
  if (spec.claimRef) errors.push(field.forbidden(path.child('claimRef'), notInline))
  if (spec.capacity) errors.push(field.forbidden(path.child('capacity'), notInline))
  if (!spec.csi) errors.push(field.required(path.child('csi'), 'has to be specified in the context of inline volumes'))
  checkModes(spec, path, errors)
  const { persistentVolumeReclaimPolicy: policy = 'Retain', volumeMode = 'Filesystem' } = spec
  if (policy !== 'Retain') {
    const place = path.child('persistentVolumeReclaimPolicy')
    errors.push(field.forbidden(place, 'may only be Retain in the context of inline volumes'))
  }
  if (spec.nodeAffinity) errors.push(field.forbidden(path.child('nodeAffinity'), notInline))
  checkStorage(errors, { name: '', spec, path })
  if (spec.storageClassName) errors.push(field.forbidden(path.child('storageClassName'), notInline))
  if (volumeMode !== 'Filesystem') {
    const detail = 'may not specify volumeMode other than Filesystem in the context of inline volumes'
    errors.push(field.forbidden(path.child('volumeMode'), detail))
  }
}

function checkModes(spec: PersistentVolumeSpec, path: FieldPath, errors: FieldError[]): void {
  checkRequired(spec, ['accessModes'], path, errors)
  checkAccessModes(spec.accessModes, path.child('accessModes'), errors)
}

function checkCapacity({ capacity }: PersistentVolumeSpec, path: FieldPath, errors: FieldError[]): void {
  const names = Object.keys(capacity ?? {})
  if (names.length === 0) errors.push(field.required(path))
  if (names.length !== 1 || names[0] !== 'storage') errors.push(field.notSupported(path, capacity, ['storage']))
  for (const [name, quantity] of Object.entries(capacity ?? {})) {
    checkQuantity(quantity, path.key(name), errors)
    checkPositiveQuantity(quantity, path.key(name), errors)
  }
}

function checkNodeAffinity(
  { nodeAffinity }: PersistentVolumeSpec,
  path: FieldPath,
  errors: FieldError[],
  leniency: NodeSelectorLeniency | undefined,
): void {
  if (!nodeAffinity) return
  const required = path.child('required')
  if (nodeAffinity.required) errors.push(...validateNodeSelector(nodeAffinity.required, required, leniency))
  else errors.push(field.required(required, 'must specify required node constraints'))
}

function checkAttributesClass(spec: PersistentVolumeSpec, path: FieldPath, errors: FieldError[]): void {
  const { volumeAttributesClassName: name, csi } = spec
  if (name === undefined) return
  const place = path.child('volumeAttributesClassName')
  if (name === '') errors.push(field.required(place, 'an empty string is disallowed'))
  checkClassName(name, place, errors)
  if (!csi) errors.push(field.required(path.child('csi'), 'has to be specified when using volumeAttributesClassName'))
}

/** Validates the source. A host path of `/` cannot have the reclaim policy `Recycle`. */
function checkStorage(errors: FieldError[], context: StorageContext): void {
  const { spec, path } = context
  checkVolumeType(spec, path, errors, context)
  if (isRoot(spec.hostPath?.path) && spec.persistentVolumeReclaimPolicy === 'Recycle') {
    const place = path.child('persistentVolumeReclaimPolicy')
    errors.push(field.forbidden(place, "may not be 'recycle' for a hostPath mount of '/'"))
  }
}

function isRoot(path: string | undefined): boolean {
  return path?.startsWith('/') === true && path.split('/').every((step) => step === '' || step === '.' || step === '..')
}

const checkVolumeType = oneVolumeType<PersistentVolumeSpec, StorageContext>(
  {
    hostPath: checkHostPath,
    gcePersistentDisk: checkGcePersistentDisk,
    awsElasticBlockStore: checkAwsElasticBlockStore,
    glusterfs: checkGlusterfs,
    flocker: checkFlocker,
    nfs: checkNfs,
    rbd: requires('monitors', 'image'),
    quobyte: checkQuobyte,
    cephfs: requires('monitors'),
    iscsi: (source, path, errors, { name }) => checkPersistentIscsi(source, path, errors, name),
    cinder: checkCinder,
    fc: checkFibreChannel,
    flexVolume: checkFlexVolume,
    azureFile: checkAzureFile,
    vsphereVolume: requires('volumePath'),
    photonPersistentDisk: requires('pdID'),
    portworxVolume: requires('volumeID'),
    azureDisk: checkAzureDisk,
    scaleIO: requires('gateway', 'system', 'volumeName'),
    local: checkLocal,
    storageos: checkPersistentStorageOs,
    csi: checkCsi,
  },
  { inside: { gcePersistentDisk: 'persistentDisk' }, surplus: { cephfs: 'cephFS' } },
  'flexVolume',
)

function checkGlusterfs(source: GlusterfsPersistentVolumeSource, path: FieldPath, errors: FieldError[]): void {
  checkRequired(source, ['endpoints', 'path'], path, errors)
  const { endpointsNamespace: namespace } = source
  const place = path.child('endpointsNamespace')
  if (namespace === '')
    errors.push(field.invalid(place, '', 'if the endpointnamespace is set, it must be a valid namespace name'))
  else if (namespace !== undefined) errors.push(...field.invalidForEach(place, namespace, dnsLabel(namespace)))
}

function checkCinder(source: CinderPersistentVolumeSource, path: FieldPath, errors: FieldError[]): void {
  checkRequired(source, ['volumeID'], path, errors)
  if (source.secretRef) checkRequired(source.secretRef, ['name', 'namespace'], path.child('secretRef'), errors)
}

function checkAzureFile(source: AzureFilePersistentVolumeSource, path: FieldPath, errors: FieldError[]): void {
  checkRequired(source, ['secretName', 'shareName'], path, errors)
  if (source.secretNamespace === '') errors.push(field.required(path.child('secretNamespace')))
}

/** A local volume needs a node affinity. */
function checkLocal(source: LocalVolumeSource, path: FieldPath, errors: FieldError[], context: StorageContext): void {
  checkRequired(source, ['path'], path, errors)
  if (source.path !== '') errors.push(...validatePathWithoutBacksteps(source.path, path.child('path')))
  if (!context.spec.nodeAffinity)
    errors.push(field.required(context.path.child('nodeAffinity'), 'Local volume requires node affinity'))
}

function checkPersistentStorageOs(
  source: StorageOSPersistentVolumeSource,
  path: FieldPath,
  errors: FieldError[],
): void {
  checkStorageOs(source, path, errors)
  if (source.secretRef) checkRequired(source.secretRef, ['name', 'namespace'], path.child('secretRef'), errors)
}

const csiSecrets = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeExpandSecretRef',
] as const

function checkCsi(source: CSIPersistentVolumeSource, path: FieldPath, errors: FieldError[]): void {
  checkCsiDriverName(source.driver, path.child('driver'), errors)
  checkRequired(source, ['volumeHandle'], path, errors)
  for (const name of csiSecrets) {
    const secret = source[name]
    if (secret) checkSecretReference(secret, path.child(name), errors)
  }
}
