import type { FieldError } from '../../../../schema/field-errors.js'
import { fieldPath } from '../../../../schema/field-path.js'
import type { Draft } from '../../../../schema/infer.js'
import { declareTable } from '../../../../schema/schema.js'
import { declareStrategy } from '../../../../schema/strategy.js'
import {
  accessModesCell,
  classAnnotationWarnings,
  storageClassAnnotation,
} from '../persistent-volume/storage-validation.js'
import { PersistentVolumeClaim, type PersistentVolumeClaimSpec } from '../persistent-volume-claim.js'
import { claimChangeErrors, claimStatusErrors } from './update-validation.js'
import { checkClaimSpec, claimLeniencyOf, claimSpecWarnings } from './validation.js'

const specPath = fieldPath('spec')

export const persistentVolumeClaimStrategy = declareStrategy<PersistentVolumeClaim>(PersistentVolumeClaim, {
  prepareCreate(draft) {
    draft.status = { phase: 'Pending' }
    keepKnownDataSource(draft.spec, undefined)
    nameDataSourceBothWays(draft.spec)
  },
  prepareUpdate(draft, old) {
    draft.status = old.status as Draft<typeof old.status>
    keepKnownDataSource(draft.spec, old.spec)
  },
  validate: ({ spec }) => specErrors(spec, undefined),
  validateUpdate: (claim, old) => {
    const errors = specErrors(claim.spec, old.spec)
    return [...errors, ...errors, ...claimChangeErrors(claim, old)]
  },
  warnings: ({ metadata, spec }) => [...classAnnotationWarnings(metadata), ...claimSpecWarnings(spec, specPath)],
  subresources: { status: { validateUpdate: claimStatusErrors } },
})

/**
 * `dataSource` accepts claims and snapshots, and everything else is dropped silently. `dataSourceRef` accepts any object, but not of other
 * namespaces, which this cluster does not serve.
 */
function keepKnownDataSource(
  draft: Draft<PersistentVolumeClaimSpec>,
  old: PersistentVolumeClaimSpec | undefined,
): void {
  if (draft.dataSourceRef?.namespace && !old?.dataSourceRef) delete draft.dataSourceRef
  if (old?.dataSource || old?.dataSourceRef || draft.dataSourceRef || !draft.dataSource) return
  const { kind, apiGroup } = draft.dataSource
  const isClaim = kind === 'PersistentVolumeClaim' && !apiGroup
  const isSnapshot = kind === 'VolumeSnapshot' && apiGroup === 'snapshot.storage.k8s.io'
  if (!isClaim && !isSnapshot) delete draft.dataSource
}

/** Copies a data source to the other of the two fields. */
function nameDataSourceBothWays(draft: Draft<PersistentVolumeClaimSpec>): void {
  const { dataSource, dataSourceRef } = draft
  if (dataSource && !dataSourceRef) draft.dataSourceRef = { ...dataSource }
  else if (dataSourceRef && !dataSource && !dataSourceRef.namespace) {
    const { namespace: _, ...source } = dataSourceRef
    draft.dataSource = source
  }
}

function specErrors(
  spec: PersistentVolumeClaimSpec,
  old: PersistentVolumeClaimSpec | undefined,
): readonly FieldError[] {
  const errors: FieldError[] = []
  checkClaimSpec(spec, specPath, errors, old && claimLeniencyOf(old))
  return errors
}

export const persistentVolumeClaimTable = declareTable<PersistentVolumeClaim>(PersistentVolumeClaim, {
  Status: ({ metadata, status }) => (metadata.deletionTimestamp ? 'Terminating' : (status.phase ?? '')),
  Volume: ({ spec }) => spec.volumeName ?? '',
  Capacity: ({ spec, status }) => (spec.volumeName ? (status.capacity?.storage ?? '0') : ''),
  'Access Modes': ({ spec, status }) => (spec.volumeName ? accessModesCell(status.accessModes) : ''),
  StorageClass: ({ metadata, spec }) => metadata.annotations?.[storageClassAnnotation] ?? spec.storageClassName ?? '',
  VolumeAttributesClass: ({ spec }) => spec.volumeAttributesClassName ?? '<unset>',
  VolumeMode: ({ spec }) => spec.volumeMode ?? '<unset>',
})
