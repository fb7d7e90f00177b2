import * as field from '../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../schema/field-path.js'
import type { Draft } from '../../../schema/infer.js'
import { declareDefaults, declareTable } from '../../../schema/schema.js'
import { declareStrategy, type StrategyContext } from '../../../schema/strategy.js'
import { containersCell, imagesCell } from '../../core/v1/pod-template/cells.js'
import { podTemplateWarnings } from '../../core/v1/pod-template/validation.js'
import { labelSelectorText } from '../../selectors/label-selector.js'
import { validateImmutable } from '../../validation/immutability.js'
import { validateNoneNegative, validateNotNegative } from '../../validation/numbers.js'
import { isNothing, validateAtMostWhole, validateIntOrPercent } from '../../validation/percentages.js'
import { podNameWarnings } from '../../validation/workload-warnings.js'
import {
  Deployment,
  type DeploymentSpec,
  type DeploymentStatus,
  DeploymentStrategy,
  type RollingUpdateDeployment,
} from './deployment.js'
import {
  validateAvailableReplicas,
  validateCollisionCount,
  validatePartsOfReplicas,
} from './replica-count-validation.js'
import { validateReplicatedTemplate } from './workload-template-validation.js'

const specPath = fieldPath('spec')
const statusPath = fieldPath('status')
const templatePath = specPath.child('template')
const oneQuarter = '25%'

export const deploymentStrategyDefaults = declareDefaults<DeploymentStrategy>(DeploymentStrategy, (wanted) => {
  if ((wanted.type || 'RollingUpdate') !== 'RollingUpdate') return
  const { maxUnavailable = oneQuarter, maxSurge = oneQuarter } = wanted.rollingUpdate ?? {}
  wanted.rollingUpdate = { maxUnavailable, maxSurge }
})

export const deploymentTable = declareTable<Deployment>(Deployment, {
  Ready: ({ spec, status }) => `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
  'Up-to-date': ({ status }) => status.updatedReplicas ?? 0,
  Available: ({ status }) => status.availableReplicas ?? 0,
  Containers: ({ spec }) => containersCell(spec.template),
  Images: ({ spec }) => imagesCell(spec.template),
  Selector: ({ spec }) => labelSelectorText(spec.selector),
})

export const deploymentStrategy = declareStrategy<Deployment>(Deployment, {
  // Annotations count, because kubectl stores the cause of a change in one of them.
  intent: ({ spec, metadata }) => [spec, metadata.annotations],
  validate: ({ spec }, context) => validateDeploymentSpec(spec, context, undefined),
  validateUpdate: ({ spec }, old, context) => [
    ...validateDeploymentSpec(spec, context, old.spec),
    ...validateImmutable(spec.selector, old.spec.selector, specPath.child('selector')),
  ],
  warnings(object, old) {
    if (!old) return [...podNameWarnings(object.metadata.name), ...templateWarnings(object, undefined)]
    return object.metadata.generation === old.metadata.generation ? [] : templateWarnings(object, old)
  },
  subresources: {
    status: {
      prepareUpdate(draft, old) {
        draft.spec = old.spec as Draft<DeploymentSpec>
        draft.metadata = { ...draft.metadata, labels: old.metadata.labels } as Draft<Deployment['metadata']>
      },
      validateUpdate: ({ status }, old) => [
        ...validateDeploymentStatus(status, statusPath),
        ...validateCollisionCount(status, old.status, statusPath),
      ],
      warnings: () => [],
    },
  },
})

function templateWarnings({ spec }: Deployment, old: Deployment | undefined): readonly string[] {
  return podTemplateWarnings(spec.template, old?.spec.template, templatePath)
}

function validateDeploymentSpec(
  spec: DeploymentSpec,
  { allowPrivileged }: StrategyContext,
  old: DeploymentSpec | undefined,
): readonly field.FieldError[] {
  return [
    ...validateNotNegative(spec.replicas, specPath.child('replicas')),
    ...validateReplicatedTemplate(spec, specPath, { allowPrivileged, old: old?.template.spec }),
    ...validateDeploymentStrategy(spec.strategy ?? {}, specPath.child('strategy')),
    ...validateNoneNegative(spec, ['minReadySeconds', 'revisionHistoryLimit', 'progressDeadlineSeconds'], specPath),
    ...validateDeadline(spec),
  ]
}

function validateDeadline(spec: DeploymentSpec): readonly field.FieldError[] {
  const { progressDeadlineSeconds: deadline, minReadySeconds = 0 } = spec
  if (deadline === undefined || deadline > minReadySeconds) return field.none
  return [field.invalid(specPath.child('progressDeadlineSeconds'), deadline, 'must be greater than minReadySeconds')]
}

function validateDeploymentStrategy(wanted: DeploymentStrategy, path: FieldPath): readonly field.FieldError[] {
  const { type = '', rollingUpdate } = wanted
  const rollingPath = path.child('rollingUpdate')
  switch (type) {
    case 'Recreate':
      if (!rollingUpdate) return field.none
      return [field.forbidden(rollingPath, "may not be specified when strategy `type` is 'Recreate'")]
    case 'RollingUpdate':
      if (!rollingUpdate) return [field.required(rollingPath, 'this should be defaulted and never be nil')]
      return validateRollingUpdate(rollingUpdate, rollingPath)
    default: {
      const shown = { Type: type, RollingUpdate: rollingUpdateShown(rollingUpdate) }
      return [field.notSupported(path, shown, ['Recreate', 'RollingUpdate'])]
    }
  }
}

/** With the field names of upstream's internal types, for messages. */
function rollingUpdateShown(rollingUpdate: RollingUpdateDeployment | undefined): object | null {
  if (!rollingUpdate) return null
  return { MaxUnavailable: rollingUpdate.maxUnavailable ?? 0, MaxSurge: rollingUpdate.maxSurge ?? 0 }
}

function validateRollingUpdate(update: RollingUpdateDeployment, path: FieldPath): readonly field.FieldError[] {
  const { maxUnavailable = 0, maxSurge = 0 } = update
  const unavailablePath = path.child('maxUnavailable')
  const stuck = isNothing(maxUnavailable) && isNothing(maxSurge)
  return [
    ...validateIntOrPercent(maxUnavailable, unavailablePath),
    ...validateIntOrPercent(maxSurge, path.child('maxSurge')),
    ...(stuck ? [field.invalid(unavailablePath, maxUnavailable, 'may not be 0 when `maxSurge` is 0')] : []),
    ...validateAtMostWhole(maxUnavailable, unavailablePath),
  ]
}

const counts = [
  'observedGeneration',
  'replicas',
  'updatedReplicas',
  'readyReplicas',
  'availableReplicas',
  'unavailableReplicas',
  'terminatingReplicas',
  'collisionCount',
] as const satisfies readonly (keyof DeploymentStatus)[]

function validateDeploymentStatus(status: DeploymentStatus, path: FieldPath): readonly field.FieldError[] {
  return [
    ...validateNoneNegative(status, counts, path),
    ...validatePartsOfReplicas(status, ['updatedReplicas', 'readyReplicas', 'availableReplicas'], path),
    ...validateAvailableReplicas(status, path),
  ]
}
