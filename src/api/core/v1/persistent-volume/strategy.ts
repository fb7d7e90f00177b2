import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import { fieldPath } from '../../../../schema/field-path.js'
import type { Draft } from '../../../../schema/infer.js'
import { declareTable } from '../../../../schema/schema.js'
import { declareStrategy } from '../../../../schema/strategy.js'
import { nodeSelectorTermWarnings } from '../affinity/deprecated-node-labels.js'
import { validateNodeSelector } from '../affinity/node-selector-validation.js'
import { PersistentVolume, type PersistentVolumeSpec, type VolumeNodeAffinity } from '../persistent-volume.js'
import { accessModesCell, classAnnotationWarnings, storageClassAnnotation } from './storage-validation.js'
import { volumeChangeErrors } from './update-validation.js'
import { checkPersistentVolumeSpec } from './validation.js'

const specPath = fieldPath('spec')
const annotationPath = fieldPath('metadata', 'annotations')

export const persistentVolumeStrategy = declareStrategy<PersistentVolume>(PersistentVolume, {
  prepareCreate(draft, { time }) {
    draft.status = { phase: 'Pending', lastPhaseTransitionTime: time }
  },
  validate: (volume) => [...specErrors(volume, undefined), ...mountOptionErrors(volume)],
  validateUpdate(volume, old) {
    const errors = specErrors(volume, old)
    return [...errors, ...mountOptionErrors(volume), ...errors, ...volumeChangeErrors(volume.spec, old.spec)]
  },
  warnings: persistentVolumeWarnings,
  subresources: {
    status: {
      prepareUpdate(draft, old, { time }) {
        draft.spec = old.spec as Draft<PersistentVolumeSpec>
        stampPhase(draft, old, time)
      },
      validateUpdate: () => field.none,
    },
  },
})

/** Sets the time of a phase change, unless the client sends one. */
function stampPhase({ status }: Draft<PersistentVolume>, old: PersistentVolume, time: string): void {
  const { phase, lastPhaseTransitionTime: since } = old.status
  if (status.phase === phase) return
  if (status.lastPhaseTransitionTime === undefined || status.lastPhaseTransitionTime === since)
    status.lastPhaseTransitionTime = time
}

function specErrors({ metadata, spec }: PersistentVolume, old: PersistentVolume | undefined): readonly FieldError[] {
  const errors: FieldError[] = []
  checkPersistentVolumeSpec(spec, specPath, errors, {
    name: metadata.name ?? '',
    leniency: { anyValue: hasImpossibleValues(old?.spec.nodeAffinity) },
  })
  return errors
}

function hasImpossibleValues(affinity: VolumeNodeAffinity | undefined): boolean {
  if (!affinity?.required) return false
  const strict = validateNodeSelector(affinity.required, specPath).length
  return strict > validateNodeSelector(affinity.required, specPath, { anyValue: true }).length
}

const mountOptionsAnnotation = 'volume.beta.kubernetes.io/mount-options'
const mountable = [
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'nfs',
  'rbd',
  'quobyte',
  'iscsi',
  'cinder',
  'cephfs',
  'azureFile',
  'vsphereVolume',
  'azureDisk',
  'photonPersistentDisk',
] as const satisfies readonly (keyof PersistentVolumeSpec)[]

/** Validates the annotation that preceded the field `mountOptions`. */
function mountOptionErrors({ metadata, spec }: PersistentVolume): readonly FieldError[] {
  if (metadata.annotations?.[mountOptionsAnnotation] === undefined) return field.none
  if (mountable.some((type) => spec[type])) return field.none
  const path = annotationPath.child(mountOptionsAnnotation)
  return [field.forbidden(path, 'may not specify mount options for this volume type')]
}

export const persistentVolumeTable = declareTable<PersistentVolume>(PersistentVolume, {
  Capacity: ({ spec }) => spec.capacity?.storage ?? '0',
  'Access Modes': ({ spec }) => accessModesCell(spec.accessModes),
  'Reclaim Policy': ({ spec }) => spec.persistentVolumeReclaimPolicy ?? '',
  Status: ({ metadata, status }) => (metadata.deletionTimestamp ? 'Terminating' : (status.phase ?? '')),
  Claim: ({ spec: { claimRef } }) => (claimRef ? `${claimRef.namespace ?? ''}/${claimRef.name ?? ''}` : ''),
  StorageClass: ({ metadata, spec }) => metadata.annotations?.[storageClassAnnotation] ?? spec.storageClassName ?? '',
  VolumeAttributesClass: ({ spec }) => spec.volumeAttributesClassName ?? '<unset>',
  Reason: ({ status }) => status.reason ?? '',
  VolumeMode: ({ spec }) => spec.volumeMode ?? '<unset>',
})

/** Removed volume types with their names in warnings, in the order of the warnings. */
const retired = [
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
] as const

const recycle =
  'The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.'

/** Warnings about a persistent volume. */
export function persistentVolumeWarnings({ metadata, spec }: PersistentVolume): readonly string[] {
  const warnings = [...classAnnotationWarnings(metadata)]
  if (spec.persistentVolumeReclaimPolicy === 'Recycle') warnings.push(`spec.persistentVolumeReclaimPolicy: ${recycle}`)
  const terms = fieldPath('spec', 'nodeAffinity', 'required', 'nodeSelectorTerms')
  spec.nodeAffinity?.required?.nodeSelectorTerms?.forEach((term, i) => {
    warnings.push(...nodeSelectorTermWarnings(term, terms.index(i)))
  })
  for (const [type, shown, notice] of retired) if (spec[type]) warnings.push(`spec.${shown}: ${notice}`)
  return warnings
}
