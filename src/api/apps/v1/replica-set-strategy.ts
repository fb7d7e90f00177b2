import type { FieldError } from '../../../schema/field-errors.js'
import { fieldPath } from '../../../schema/field-path.js'
import { declareTable } from '../../../schema/schema.js'
import { declareStrategy, type StrategyContext } from '../../../schema/strategy.js'
import { containersCell, imagesCell } from '../../core/v1/pod-template/cells.js'
import { podTemplateWarnings } from '../../core/v1/pod-template/validation.js'
import { labelSelectorText } from '../../selectors/label-selector.js'
import { validateImmutable } from '../../validation/immutability.js'
import { validateNoneNegative } from '../../validation/numbers.js'
import { podNameWarnings } from '../../validation/workload-warnings.js'
import { validateAvailableReplicas, validatePartsOfReplicas } from './replica-count-validation.js'
import { ReplicaSet, type ReplicaSetSpec, type ReplicaSetStatus } from './replica-set.js'
import { validateReplicatedTemplate } from './workload-template-validation.js'

const specPath = fieldPath('spec')
const statusPath = fieldPath('status')
const templatePath = specPath.child('template')

export const replicaSetTable = declareTable<ReplicaSet>(ReplicaSet, {
  Desired: ({ spec }) => spec.replicas ?? 0,
  Current: ({ status }) => status.replicas,
  Ready: ({ status }) => status.readyReplicas ?? 0,
  Containers: ({ spec }) => containersCell(spec.template ?? {}),
  Images: ({ spec }) => imagesCell(spec.template ?? {}),
  Selector: ({ spec }) => labelSelectorText(spec.selector),
})

export const replicaSetStrategy = declareStrategy<ReplicaSet>(ReplicaSet, {
  intent: ({ spec }) => [spec],
  validate: ({ spec }, context) => validateReplicaSetSpec(spec, context, undefined),
  validateUpdate: ({ spec }, old, context) => [
    ...validateReplicaSetSpec(spec, context, old.spec),
    ...validateImmutable(spec.selector, old.spec.selector, specPath.child('selector')),
  ],
  warnings(object, old) {
    if (!old) return [...podNameWarnings(object.metadata.name), ...templateWarnings(object, undefined)]
    return object.metadata.generation === old.metadata.generation ? [] : templateWarnings(object, old)
  },
  subresources: {
    status: { validateUpdate: ({ status }) => validateReplicaSetStatus(status), warnings: () => [] },
  },
})

function templateWarnings({ spec }: ReplicaSet, old: ReplicaSet | undefined): readonly string[] {
  return podTemplateWarnings(spec.template ?? {}, old?.spec.template, templatePath)
}

function validateReplicaSetSpec(
  spec: ReplicaSetSpec,
  { allowPrivileged }: StrategyContext,
  old: ReplicaSetSpec | undefined,
): readonly FieldError[] {
  return [
    ...validateNoneNegative(spec, ['replicas', 'minReadySeconds'], specPath),
    ...validateReplicatedTemplate(spec, specPath, { allowPrivileged, old: old?.template?.spec }),
  ]
}

const counts = [
  'replicas',
  'fullyLabeledReplicas',
  'readyReplicas',
  'availableReplicas',
  'terminatingReplicas',
  'observedGeneration',
] as const satisfies readonly (keyof ReplicaSetStatus)[]

function validateReplicaSetStatus(status: ReplicaSetStatus): readonly FieldError[] {
  return [
    ...validateNoneNegative(status, counts, statusPath),
    ...validatePartsOfReplicas(status, ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'], statusPath),
    ...validateAvailableReplicas(status, statusPath),
  ]
}
