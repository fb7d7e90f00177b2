import * as field from '../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../schema/field-path.js'
import type { Draft } from '../../../schema/infer.js'
import { declareDefaults, declareTable } from '../../../schema/schema.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { claimSpecWarnings } from '../../core/v1/persistent-volume-claim/validation.js'
import { containersCell, imagesCell } from '../../core/v1/pod-template/cells.js'
import { podTemplateWarnings } from '../../core/v1/pod-template/validation.js'
import { labelName } from '../../metadata/name-validation.js'
import { isSame } from '../../validation/immutability.js'
import { validateNoneNegative } from '../../validation/numbers.js'
import {
  validateAvailableReplicas,
  validateCollisionCount,
  validatePartsOfReplicas,
} from './replica-count-validation.js'
import {
  StatefulSet,
  StatefulSetPersistentVolumeClaimRetentionPolicy,
  StatefulSetSpec,
  type StatefulSetStatus,
  StatefulSetUpdateStrategy,
} from './stateful-set.js'
import { validateStatefulSetSpec } from './stateful-set-validation.js'

const specPath = fieldPath('spec')
const statusPath = fieldPath('status')
const templatePath = specPath.child('template')

export const statefulSetUpdateStrategyDefaults = declareDefaults<StatefulSetUpdateStrategy>(
  StatefulSetUpdateStrategy,
  (wanted) => {
    const { type, rollingUpdate } = wanted
    if (!type) wanted.rollingUpdate = { partition: 0, ...rollingUpdate }
    else if (type === 'RollingUpdate' && rollingUpdate) rollingUpdate.partition ??= 0
  },
)

export const statefulSetSpecDefaults = declareDefaults<StatefulSetSpec>(StatefulSetSpec, (spec) => {
  spec.persistentVolumeClaimRetentionPolicy ??= {}
  for (const claim of spec.volumeClaimTemplates ?? []) {
    claim.apiVersion ||= 'v1'
    claim.kind ||= 'PersistentVolumeClaim'
  }
})

export const retentionPolicyDefaults = declareDefaults<StatefulSetPersistentVolumeClaimRetentionPolicy>(
  StatefulSetPersistentVolumeClaimRetentionPolicy,
  (policy) => {
    policy.whenDeleted ||= 'Retain'
    policy.whenScaled ||= 'Retain'
  },
)

export const statefulSetTable = declareTable<StatefulSet>(StatefulSet, {
  Ready: ({ spec, status }) => `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
  Containers: ({ spec }) => containersCell(spec.template),
  Images: ({ spec }) => imagesCell(spec.template),
})

export const statefulSetStrategy = declareStrategy<StatefulSet>(StatefulSet, {
  name: labelName,
  intent: ({ spec }) => [spec],
  prepareCreate(draft) {
    delete (draft as Partial<Draft<StatefulSet>>).status
    dropMaxUnavailable(draft, undefined)
  },
  prepareUpdate(draft, old) {
    draft.status = old.status as Draft<StatefulSetStatus>
    dropMaxUnavailable(draft, old)
  },
  validate: ({ spec }, { allowPrivileged }) =>
    validateStatefulSetSpec(spec, specPath, { allowPrivileged, oldSpec: undefined }),
  validateUpdate: ({ spec }, old, { allowPrivileged }) => [
    ...validateStatefulSetSpec(spec, specPath, { allowPrivileged, old: old.spec.template.spec, oldSpec: old.spec }),
    ...validateFixedFields(spec, old.spec),
  ],
  warnings: statefulSetWarnings,
  subresources: {
    status: {
      validateUpdate: ({ status }, old) => [
        ...validateStatefulSetStatus(status),
        ...validateCollisionCount(status, old.status, statusPath),
      ],
      warnings: () => [],
    },
  },
})

/** Drops a field of a disabled feature, unless the old object has it. */
function dropMaxUnavailable(draft: Draft<StatefulSet>, old: StatefulSet | undefined): void {
  const wanted = draft.spec?.updateStrategy
  if (wanted?.rollingUpdate?.maxUnavailable === undefined) return
  if (old?.spec.updateStrategy?.rollingUpdate?.maxUnavailable !== undefined) return
  const { maxUnavailable: _, ...rollingUpdate } = wanted.rollingUpdate
  draft.spec = { ...draft.spec, updateStrategy: { ...wanted, rollingUpdate } }
}

/** The mutable fields. All others determine names or claims of the pods. */
const changeable = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
] as const satisfies readonly (keyof StatefulSetSpec)[]

function validateFixedFields(spec: StatefulSetSpec, old: StatefulSetSpec): readonly field.FieldError[] {
  if (isSame(fixedPart(spec), fixedPart(old))) return field.none
  const names = changeable.map((name) => `'${name}'`)
  const listed = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
  return [field.forbidden(specPath, `updates to statefulset spec for fields other than ${listed} are forbidden`)]
}

function fixedPart(spec: StatefulSetSpec): object {
  const fixed: Record<string, unknown> = { ...spec }
  for (const name of changeable) delete fixed[name]
  return fixed
}

function statefulSetWarnings({ metadata, spec }: StatefulSet, old: StatefulSet | undefined): readonly string[] {
  const isChanged = metadata.generation !== old?.metadata.generation
  return [
    ...(isChanged ? podTemplateWarnings(spec.template, old?.spec.template, templatePath) : []),
    ...(spec.volumeClaimTemplates ?? []).flatMap((claim, i) => claimSpecWarnings(claim.spec, claimPath(i, old))),
    ...((spec.revisionHistoryLimit ?? 0) < 0 ? [endlessHistory] : []),
  ]
}

/** The path of a claim, which upstream words differently on create and on update. */
function claimPath(index: number, old: StatefulSet | undefined): FieldPath {
  const path = specPath.child('volumeClaimTemplates').index(index)
  return old ? path.child('Spec') : path
}

const endlessHistory =
  'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended'

const counts = [
  'replicas',
  'readyReplicas',
  'currentReplicas',
  'updatedReplicas',
  'availableReplicas',
  'observedGeneration',
  'collisionCount',
] as const satisfies readonly (keyof StatefulSetStatus)[]

const parts = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'] as const

function validateStatefulSetStatus(status: StatefulSetStatus): readonly field.FieldError[] {
  return [
    ...validateNoneNegative(status, counts, statusPath),
    ...validatePartsOfReplicas(status, parts, statusPath),
    ...validateAvailableReplicas(status, statusPath, 'status.readyReplicas'),
  ]
}
