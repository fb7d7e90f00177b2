/** Validates the sources that pod volumes and persistent volumes share: the in-tree drivers. */
import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { inRange } from '../../../../schema/identifiers.js'
import { dnsLabel, dnsSubdomain } from '../../../../schema/names.js'
import { validateOptionalChoice } from '../../../validation/choices.js'
import { validatePathWithoutBacksteps } from '../../../validation/paths.js'
import { checkRequired } from '../../../validation/required-fields.js'
import type { SecretReference } from '../object-reference.js'
import type { HostPathVolumeSource } from '../volume.js'
import type {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  FCVolumeSource,
  FlockerVolumeSource,
  GCEPersistentDiskVolumeSource,
  NFSVolumeSource,
  QuobyteVolumeSource,
} from './drivers.js'

const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
]

export function checkHostPath(source: HostPathVolumeSource, path: FieldPath, errors: FieldError[]): void {
  checkRequired(source, ['path'], path, errors)
  if (source.path === '') return
  errors.push(...validatePathWithoutBacksteps(source.path, path.child('path')))
  errors.push(...validateOptionalChoice(source.type, path.child('type'), hostPathTypes))
}

function checkPartition(partition: number | undefined, path: FieldPath, errors: FieldError[]): void {
  if (partition !== undefined && (partition < 0 || partition > 255))
    errors.push(field.invalid(path.child('partition'), partition, 'must be between 1 and 255, inclusive'))
}

export function checkGcePersistentDisk(
  disk: GCEPersistentDiskVolumeSource,
  path: FieldPath,
  errors: FieldError[],
): void {
  checkRequired(disk, ['pdName'], path, errors)
  checkPartition(disk.partition, path, errors)
}

export function checkAwsElasticBlockStore(
  disk: AWSElasticBlockStoreVolumeSource,
  path: FieldPath,
  errors: FieldError[],
): void {
  checkRequired(disk, ['volumeID'], path, errors)
  checkPartition(disk.partition, path, errors)
}

export function checkNfs(nfs: NFSVolumeSource, path: FieldPath, errors: FieldError[]): void {
  checkRequired(nfs, ['server', 'path'], path, errors)
  if (!nfs.path.startsWith('/')) errors.push(field.invalid(path.child('path'), nfs.path, 'must be an absolute path'))
}

export function checkFlocker(flocker: FlockerVolumeSource, path: FieldPath, errors: FieldError[]): void {
  const { datasetName = '', datasetUUID = '' } = flocker
  if (datasetName === '' && datasetUUID === '')
    errors.push(field.required(path, 'one of datasetName and datasetUUID is required'))
  if (datasetName !== '' && datasetUUID !== '')
    errors.push(field.invalid(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously'))
  if (datasetName.includes('/'))
    errors.push(field.invalid(path.child('datasetName'), datasetName, "must not contain '/'"))
}

const pairs = 'must be a host:port pair or multiple pairs separated by commas'
const hostAndPort = /^(\[[^[\]]*\]|[^:[\]]*):[^:[\]]*$/

export function checkQuobyte(quobyte: QuobyteVolumeSource, path: FieldPath, errors: FieldError[]): void {
  const { registry, tenant = '' } = quobyte
  if (registry === '') errors.push(field.required(path.child('registry'), pairs))
  else if (Buffer.byteLength(tenant) > 64)
    errors.push(field.required(path.child('tenant'), 'must be a UUID and may not exceed a length of 64 characters'))
  else
    for (const pair of registry.split(','))
      if (!hostAndPort.test(pair)) errors.push(field.invalid(path.child('registry'), registry, pairs))
  checkRequired(quobyte, ['volume'], path, errors)
}

export function checkFibreChannel(fc: FCVolumeSource, path: FieldPath, errors: FieldError[]): void {
  const { targetWWNs = [], wwids = [], lun } = fc
  const names = path.child('targetWWNs')
  if (targetWWNs.length === 0 && wwids.length === 0)
    errors.push(field.required(names, 'must specify either targetWWNs or wwids, but not both'))
  if (targetWWNs.length === 0) return
  if (wwids.length > 0)
    errors.push(field.invalid(names, targetWWNs, 'targetWWNs and wwids can not be specified simultaneously'))
  if (lun === undefined) errors.push(field.required(path.child('lun'), 'lun is required if targetWWNs is specified'))
  else errors.push(...field.invalidForEach(path.child('lun'), lun, inRange(lun, 0, 255)))
}

const cachingModes = ['None', 'ReadOnly', 'ReadWrite']
const diskKinds = ['Dedicated', 'Managed', 'Shared']
const managedDisk = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}'
const blobDisk = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd'

export function checkAzureDisk(disk: AzureDiskVolumeSource, path: FieldPath, errors: FieldError[]): void {
  const { kind, diskURI } = disk
  checkRequired(disk, ['diskName', 'diskURI'], path, errors)
  errors.push(...validateOptionalChoice(disk.cachingMode, path.child('cachingMode'), cachingModes))
  errors.push(...validateOptionalChoice(kind, path.child('kind'), diskKinds))
  const uri = path.child('diskURI')
  if (kind === 'Managed' && !diskURI.startsWith('/subscriptions/'))
    errors.push(field.notSupported(uri, diskURI, [managedDisk]))
  if (kind !== undefined && kind !== 'Managed' && !diskURI.startsWith('https://'))
    errors.push(field.notSupported(uri, diskURI, [blobDisk]))
}

/** Option names in Kubernetes' own domain are reserved for the kubelet. */
export function checkFlexVolume(
  flex: { readonly driver: string; readonly options?: Readonly<Record<string, string>> },
  path: FieldPath,
  errors: FieldError[],
): void {
  checkRequired(flex, ['driver'], path, errors)
  for (const option of Object.keys(flex.options ?? {})) {
    const domain = `.${option.split('/', 1)[0]!.toLowerCase()}`
    if (domain.endsWith('.kubernetes.io') || domain.endsWith('.k8s.io'))
      errors.push(
        field.invalid(path.child('options').key(option), option, 'kubernetes.io and k8s.io namespaces are reserved'),
      )
  }
}

interface StorageOs {
  readonly volumeName?: string
  readonly volumeNamespace?: string
}

export function checkStorageOs(
  { volumeName = '', volumeNamespace = '' }: StorageOs,
  path: FieldPath,
  errors: FieldError[],
): void {
  const name = path.child('volumeName')
  if (volumeName === '') errors.push(field.required(name))
  else errors.push(...field.invalidForEach(name, volumeName, dnsLabel(volumeName)))
  if (volumeNamespace !== '')
    errors.push(...field.invalidForEach(path.child('volumeNamespace'), volumeNamespace, dnsLabel(volumeNamespace)))
}

/** Validates the name of a CSI driver, ignoring case. */
export function checkCsiDriverName(name: string, path: FieldPath, errors: FieldError[]): void {
  if (name === '') errors.push(field.required(path))
  if (Buffer.byteLength(name) > 63) errors.push(field.tooLong(path, 63))
  errors.push(...field.invalidForEach(path, name, dnsSubdomain(name.toLowerCase())))
}

/** Validates a reference to a secret with its namespace. */
export function checkSecretReference(secret: SecretReference, path: FieldPath, errors: FieldError[]): void {
  const { name = '', namespace = '' } = secret
  if (name === '') errors.push(field.required(path.child('name')))
  else errors.push(...field.invalidForEach(path.child('name'), name, dnsSubdomain(name)))
  if (namespace === '') errors.push(field.required(path.child('namespace')))
  else errors.push(...field.invalidForEach(path.child('namespace'), namespace, dnsLabel(namespace)))
}
