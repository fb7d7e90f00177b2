import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { dnsLabel, dnsSubdomain } from '../../../../schema/names.js'
import { quote } from '../../../../schema/quote.js'
import { declareDefaults } from '../../../../schema/schema.js'
import { Quantity } from '../../../../schema/values/quantity.js'
import { validateChoice } from '../../../validation/choices.js'
import { validateDescendingPath } from '../../../validation/paths.js'
import { checkRequired, requires } from '../../../validation/required-fields.js'
import { defaultPullPolicy } from '../container/pull-policy.js'
import { checkClaimTemplate } from '../persistent-volume-claim/validation.js'
import type { PodSpec } from '../pod/spec.js'
import type { PodRulesContext } from '../pod/validation-context.js'
import {
  type CSIVolumeSource,
  type EmptyDirVolumeSource,
  type EphemeralVolumeSource,
  ImageVolumeSource,
  Volume,
} from '../volume.js'
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
  checkStorageOs,
} from './driver-validation.js'
import type { CinderVolumeSource, GitRepoVolumeSource, StorageOSVolumeSource } from './drivers.js'
import { checkIscsi, isSessionNameTooLong, sessionNameTooLong } from './iscsi-validation.js'
import {
  checkConfigMapVolume,
  checkDownwardApiVolume,
  checkProjectedVolume,
  checkSecretVolume,
} from './projection-validation.js'
import { oneVolumeType } from './types.js'

/** A volume without a source becomes an `emptyDir`. */
export const volumeDefaults = declareDefaults<Volume>(Volume, (draft) => {
  for (const key in draft) if (key !== 'name' && draft[key as keyof Volume]) return
  draft.emptyDir = {}
})

export const imageVolumeSourceDefaults = declareDefaults<ImageVolumeSource>(ImageVolumeSource, (draft) => {
  if (!draft.pullPolicy) draft.pullPolicy = defaultPullPolicy(draft.reference)
})

export interface CheckedVolumes {
  readonly errors: readonly FieldError[]
  /** The valid volumes by name. */
  readonly volumes: ReadonlyMap<string, Volume>
}

/** Validates the volumes of a pod. */
export function validateVolumes(spec: PodSpec, path: FieldPath, context: PodRulesContext): CheckedVolumes {
  const errors: FieldError[] = []
  const volumes = new Map<string, Volume>()
  const made = claimsMadeFor(spec, context)
  spec.volumes?.forEach((volume, i) => {
    const before = errors.length
    const place = path.index(i)
    checkVolume(volume, place, errors, context)
    checkName(volume.name, volumes, place.child('name'), errors)
    if (errors.length === before) volumes.set(volume.name, volume)
    const { claimName = '' } = volume.persistentVolumeClaim ?? {}
    if (made.has(claimName))
      errors.push(field.invalid(place.child('persistentVolumeClaim', 'claimName'), claimName, ownClaim))
  })
  return { errors, volumes }
}

const ownClaim = 'must not reference a PVC that gets created for an ephemeral volume'
const noClaims: ReadonlySet<string> = new Set()

/** The names of the claims of ephemeral volumes, which consist of the names of pod and volume. */
function claimsMadeFor({ volumes = [] }: PodSpec, { podName = '' }: PodRulesContext): ReadonlySet<string> {
  if (podName === '' || !volumes.some(({ ephemeral }) => ephemeral)) return noClaims
  return new Set(volumes.filter(({ ephemeral }) => ephemeral).map(({ name }) => `${podName}-${name}`))
}

function checkName(name: string, others: ReadonlyMap<string, Volume>, path: FieldPath, errors: FieldError[]): void {
  if (name === '') errors.push(field.required(path))
  else errors.push(...field.invalidForEach(path, name, dnsLabel(name)))
  if (others.has(name)) errors.push(field.duplicate(path, name))
}

function checkVolume(volume: Volume, path: FieldPath, errors: FieldError[], context: PodRulesContext): void {
  checkVolumeType(volume, path, errors, context)
  const { name, iscsi, ephemeral } = volume
  if (iscsi && isSessionNameTooLong(iscsi, name))
    errors.push(field.invalid(path.child('name'), name, sessionNameTooLong))
  if (ephemeral && context.podName && name !== '') checkClaimName(context.podName, name, path.child('name'), errors)
}

function checkClaimName(pod: string, volume: string, path: FieldPath, errors: FieldError[]): void {
  const claim = `${pod}-${volume}`
  for (const message of dnsSubdomain(claim))
    errors.push(field.invalid(path, volume, `PVC name ${quote(claim)}: ${message}`))
}

const checkVolumeType = oneVolumeType<Volume, PodRulesContext>(
  {
    emptyDir: checkEmptyDir,
    hostPath: checkHostPath,
    gitRepo: checkGitRepo,
    gcePersistentDisk: checkGcePersistentDisk,
    awsElasticBlockStore: checkAwsElasticBlockStore,
    secret: checkSecretVolume,
    nfs: checkNfs,
    iscsi: checkIscsi,
    glusterfs: requires('endpoints', 'path'),
    flocker: checkFlocker,
    persistentVolumeClaim: requires('claimName'),
    rbd: requires('monitors', 'image'),
    cinder: checkCinder,
    cephfs: requires('monitors'),
    quobyte: checkQuobyte,
    downwardAPI: checkDownwardApiVolume,
    fc: checkFibreChannel,
    flexVolume: checkFlexVolume,
    configMap: checkConfigMapVolume,
    azureFile: requires('secretName', 'shareName'),
    vsphereVolume: requires('volumePath'),
    photonPersistentDisk: requires('pdID'),
    portworxVolume: requires('volumeID'),
    azureDisk: checkAzureDisk,
    storageos: checkStorageOsVolume,
    projected: checkProjectedVolume,
    scaleIO: requires('gateway', 'system', 'volumeName'),
    csi: checkCsiVolume,
    ephemeral: checkEphemeralVolume,
    image: checkImageVolume,
  },
  {
    inside: { gcePersistentDisk: 'persistentDisk' },
    surplus: { cephfs: 'cephFS', downwardAPI: 'downwarAPI' },
  },
)

function checkEmptyDir({ sizeLimit }: EmptyDirVolumeSource, path: FieldPath, errors: FieldError[]): void {
  if (sizeLimit !== undefined && Quantity.parse(sizeLimit).sign() < 0)
    errors.push(field.forbidden(path.child('sizeLimit'), 'SizeLimit field must be a valid resource quantity'))
}

function checkGitRepo(source: GitRepoVolumeSource, path: FieldPath, errors: FieldError[]): void {
  checkRequired(source, ['repository'], path, errors)
  errors.push(...validateDescendingPath(source.directory ?? '', path.child('directory')))
}

function checkCinder(source: CinderVolumeSource, path: FieldPath, errors: FieldError[]): void {
  checkRequired(source, ['volumeID'], path, errors)
  if (source.secretRef) checkRequired(source.secretRef, ['name'], path.child('secretRef'), errors)
}

function checkStorageOsVolume(source: StorageOSVolumeSource, path: FieldPath, errors: FieldError[]): void {
  checkStorageOs(source, path, errors)
  if (source.secretRef) checkRequired(source.secretRef, ['name'], path.child('secretRef'), errors)
}

function checkCsiVolume(source: CSIVolumeSource, path: FieldPath, errors: FieldError[]): void {
  checkCsiDriverName(source.driver, path.child('driver'), errors)
  if (!source.nodePublishSecretRef) return
  const { name = '' } = source.nodePublishSecretRef
  if (name === '') errors.push(field.required(path.child('nodePublishSecretRef', 'name')))
  else errors.push(...field.invalidForEach(path.child('name'), name, dnsSubdomain(name)))
}

function checkEphemeralVolume(source: EphemeralVolumeSource, path: FieldPath, errors: FieldError[]): void {
  checkRequired(source, ['volumeClaimTemplate'], path, errors)
  if (source.volumeClaimTemplate)
    checkClaimTemplate(source.volumeClaimTemplate, path.child('volumeClaimTemplate'), errors)
}

/** The image is optional in templates. */
function checkImageVolume(
  { reference = '', pullPolicy }: ImageVolumeSource,
  path: FieldPath,
  errors: FieldError[],
  { podName }: PodRulesContext,
): void {
  if (podName !== undefined && reference === '') errors.push(field.required(path.child('reference')))
  errors.push(...validateChoice(pullPolicy, path.child('pullPolicy'), ['Always', 'IfNotPresent', 'Never']))
}
