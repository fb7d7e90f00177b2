import * as field from '../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../schema/field-path.js'
import type { Draft } from '../../../schema/infer.js'
import { declareDefaults, declareTable } from '../../../schema/schema.js'
import { declareStrategy, type StrategyContext } from '../../../schema/strategy.js'
import { containersCell, imagesCell } from '../../core/v1/pod-template/cells.js'
import { podTemplateWarnings, validatePodTemplateSpec } from '../../core/v1/pod-template/validation.js'
import { LabelSelector, labelSelectorText } from '../../selectors/label-selector.js'
import { validateLabelSelector } from '../../selectors/label-selector-validation.js'
import { isSame, validateImmutable } from '../../validation/immutability.js'
import { validateNoneNegative, validateNotNegative } from '../../validation/numbers.js'
import { isNothing, validateAtMostWhole, validateIntOrPercent } from '../../validation/percentages.js'
import {
  DaemonSet,
  type DaemonSetSpec,
  type DaemonSetStatus,
  DaemonSetUpdateStrategy,
  type RollingUpdateDaemonSet,
} from './daemon-set.js'
import { validateCollisionCount } from './replica-count-validation.js'
import {
  parsedSelector,
  validateKeptRunning,
  validateNotEmpty,
  validateSelected,
} from './workload-template-validation.js'

const specPath = fieldPath('spec')
const statusPath = fieldPath('status')
const templatePath = specPath.child('template')

export const daemonSetUpdateStrategyDefaults = declareDefaults<DaemonSetUpdateStrategy>(
  DaemonSetUpdateStrategy,
  (wanted) => {
    if ((wanted.type || 'RollingUpdate') !== 'RollingUpdate') return
    const { maxUnavailable = 1, maxSurge = 0 } = wanted.rollingUpdate ?? {}
    wanted.rollingUpdate = { maxUnavailable, maxSurge }
  },
)

export const daemonSetTable = declareTable<DaemonSet>(DaemonSet, {
  Desired: ({ status }) => status.desiredNumberScheduled,
  Current: ({ status }) => status.currentNumberScheduled,
  Ready: ({ status }) => status.numberReady,
  'Up-to-date': ({ status }) => status.updatedNumberScheduled ?? 0,
  Available: ({ status }) => status.numberAvailable ?? 0,
  'Node Selector': ({ spec }) => LabelSelector.ofLabels(spec.template.spec?.nodeSelector ?? {}).toString() || '<none>',
  Containers: ({ spec }) => containersCell(spec.template),
  Images: ({ spec }) => imagesCell(spec.template),
  Selector: ({ spec }) => labelSelectorText(spec.selector),
})

export const daemonSetStrategy = declareStrategy<DaemonSet>(DaemonSet, {
  intent: ({ spec }) => [spec],
  prepareCreate(draft) {
    delete (draft as Partial<Draft<DaemonSet>>).status
    setTemplateGeneration(draft, Math.max(templateGeneration(draft as DaemonSet), 1))
  },
  prepareUpdate(draft, old) {
    draft.status = old.status as Draft<DaemonSetStatus>
    const hasNewTemplate = !isSame(draft.spec.template, old.spec.template)
    setTemplateGeneration(draft, templateGeneration(old) + (hasNewTemplate ? 1 : 0))
  },
  validate: ({ spec }, context) => validateDaemonSetSpec(spec, context, undefined),
  validateUpdate: ({ spec }, old, context) => [
    ...validateImmutable(spec.selector, old.spec.selector, specPath.child('selector')),
    ...validateDaemonSetSpec(spec, context, old.spec),
  ],
  warnings: (object, old) =>
    old && templateGeneration(object) === templateGeneration(old)
      ? []
      : podTemplateWarnings(object.spec.template, old?.spec.template, templatePath),
  subresources: {
    status: {
      prepareUpdate(draft, old) {
        draft.spec = old.spec as Draft<DaemonSetSpec>
        setTemplateGeneration(draft, templateGeneration(old))
      },
      validateUpdate: ({ status }, old) => [
        ...validateNoneNegative(status, counts, statusPath),
        ...validateCollisionCount(status, old.status, statusPath),
      ],
      warnings: () => [],
    },
  },
})

/** The annotation that replaces a removed field of the spec. Only the server writes it. */
const templateGenerationKey = 'deprecated.daemonset.template.generation'

function templateGeneration({ metadata }: DaemonSet): number {
  return Number.parseInt(metadata.annotations?.[templateGenerationKey] ?? '0', 10) || 0
}

function setTemplateGeneration(draft: Draft<DaemonSet>, generation: number): void {
  const annotations = { ...draft.metadata.annotations, [templateGenerationKey]: String(generation) }
  draft.metadata = { ...draft.metadata, annotations }
}

function validateDaemonSetSpec(
  spec: DaemonSetSpec,
  { allowPrivileged }: StrategyContext,
  old: DaemonSetSpec | undefined,
): readonly field.FieldError[] {
  const selectorPath = specPath.child('selector')
  const selector = parsedSelector(spec.selector)
  return [
    ...validateLabelSelector(spec.selector, selectorPath),
    ...(selector ? validateSelected(spec.template, selector, templatePath) : []),
    ...validateNotEmpty(spec.selector, selectorPath, 'daemonset'),
    ...validatePodTemplateSpec(spec.template, templatePath, { allowPrivileged, old: old?.template.spec }),
    ...validateKeptRunning(spec.template, templatePath, 'DaemonSet'),
    ...validateNotNegative(spec.minReadySeconds, specPath.child('minReadySeconds')),
    ...validateUpdateStrategy(spec.updateStrategy ?? {}, specPath.child('updateStrategy')),
    ...validateNotNegative(spec.revisionHistoryLimit, specPath.child('revisionHistoryLimit')),
  ]
}

function validateUpdateStrategy(wanted: DaemonSetUpdateStrategy, path: FieldPath): readonly field.FieldError[] {
  const { type = '', rollingUpdate } = wanted
  switch (type) {
    case 'OnDelete':
      return field.none
    case 'RollingUpdate': {
      const rollingPath = path.child('rollingUpdate')
      return rollingUpdate ? validateRollingUpdate(rollingUpdate, rollingPath) : [field.required(rollingPath)]
    }
    default: {
      const shown = { Type: type, RollingUpdate: rollingUpdate ? rollingUpdateShown(rollingUpdate) : null }
      return [field.notSupported(path, shown, ['RollingUpdate', 'OnDelete'])]
    }
  }
}

/** With the field names of upstream's internal types, for messages. */
function rollingUpdateShown({ maxUnavailable = 0, maxSurge = 0 }: RollingUpdateDaemonSet): object {
  return { MaxUnavailable: maxUnavailable, MaxSurge: maxSurge }
}

/** Exactly one of `maxSurge` and `maxUnavailable` must be greater than zero. */
function validateRollingUpdate(update: RollingUpdateDaemonSet, path: FieldPath): readonly field.FieldError[] {
  const { maxUnavailable = 0, maxSurge = 0 } = update
  const unavailablePath = path.child('maxUnavailable')
  const surgePath = path.child('maxSurge')
  const errors: field.FieldError[] = [
    ...validateIntOrPercent(maxUnavailable, unavailablePath),
    ...validateIntOrPercent(maxSurge, surgePath),
    ...validateAtMostWhole(maxUnavailable, unavailablePath),
    ...validateAtMostWhole(maxSurge, surgePath),
  ]
  const before = !isNothing(maxSurge)
  const after = !isNothing(maxUnavailable)
  if (before && after) errors.push(field.invalid(surgePath, maxSurge, 'may not be set when maxUnavailable is non-zero'))
  if (!before && !after) errors.push(field.required(unavailablePath, 'cannot be 0 when maxSurge is 0'))
  return errors
}

const counts = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
  'collisionCount',
] as const satisfies readonly (keyof DaemonSetStatus)[]
