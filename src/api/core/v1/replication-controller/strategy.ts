import * as field from '../../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../../schema/field-path.js'
import type { Draft } from '../../../../schema/infer.js'
import { dnsLabel } from '../../../../schema/names.js'
import { declareDefaults, declareTable } from '../../../../schema/schema.js'
import { declareStrategy } from '../../../../schema/strategy.js'
import { isSame } from '../../../validation/immutability.js'
import { validateNotNegative } from '../../../validation/numbers.js'
import { dropDisabledPodFields } from '../pod/disabled-fields.js'
import type { PodRulesContext } from '../pod/validation-context.js'
import { containersCell, imagesCell, labelsCell } from '../pod-template/cells.js'
import { podTemplateWarnings, validatePodTemplateSpec } from '../pod-template/validation.js'
import type { PodTemplateSpec } from '../pod-template.js'
import {
  ReplicationController,
  type ReplicationControllerSpec,
  type ReplicationControllerStatus,
} from '../replication-controller.js'

const specPath = fieldPath('spec')
const statusPath = fieldPath('status')

export const replicationControllerStrategy = declareStrategy<ReplicationController>(ReplicationController, {
  intent: ({ spec }) => [spec],
  prepareCreate: (draft) => {
    draft.status = { replicas: 0 }
    if (draft.spec.template?.spec) dropDisabledPodFields(draft.spec.template.spec)
  },
  prepareUpdate: (draft, old) => {
    draft.status = old.status as Draft<ReplicationControllerStatus>
    if (draft.spec.template?.spec) dropDisabledPodFields(draft.spec.template.spec, old.spec.template?.spec)
  },
  validate: ({ spec }, { allowPrivileged }) => validateSpec(spec, { allowPrivileged }),
  validateUpdate: ({ spec }, old, { allowPrivileged }) =>
    validateSpec(spec, { allowPrivileged, old: old.spec.template?.spec }),
  warnings: (controller, old) => (old ? updateWarnings(controller, old) : creationWarnings(controller)),
  fields: { 'status.replicas': ({ status }) => String(status.replicas) },
  deletion: { orphansDependents: true },
  subresources: {
    status: {
      prepareUpdate(draft, old) {
        draft.spec = old.spec as Draft<ReplicationControllerSpec>
        labelLikePods(draft)
      },
      validateUpdate: ({ status }) => validateStatus(status),
    },
  },
})

/** Selector and labels default to the labels of the template. */
export const replicationControllerDefaults = declareDefaults<ReplicationController>(ReplicationController, (draft) => {
  const labels = draft.spec.template?.metadata?.labels
  if (labels && isEmpty(draft.spec.selector)) draft.spec.selector = { ...labels }
  labelLikePods(draft)
})

export const replicationControllerTable = declareTable<ReplicationController>(ReplicationController, {
  Desired: ({ spec }) => spec.replicas ?? 0,
  Current: ({ status }) => status.replicas,
  Ready: ({ status }) => status.readyReplicas ?? 0,
  Containers: ({ spec }) => containersCell(spec.template ?? {}),
  Images: ({ spec }) => imagesCell(spec.template ?? {}),
  Selector: ({ spec }) => labelsCell(spec.selector),
})

/** Labels default to those of the template. */
function labelLikePods(draft: Draft<ReplicationController>): void {
  const labels = draft.spec.template?.metadata?.labels
  if (labels && isEmpty(draft.metadata.labels)) draft.metadata = { ...draft.metadata, labels: { ...labels } }
}

function isEmpty(map: object | undefined): boolean {
  return map === undefined || Object.keys(map).length === 0
}

function validateSpec(spec: ReplicationControllerSpec, context: PodRulesContext): readonly field.FieldError[] {
  const { minReadySeconds = 0, replicas = 0, selector, template } = spec
  const path = specPath.child('template')
  return [
    ...validateNotNegative(minReadySeconds, specPath.child('minReadySeconds')),
    ...(isEmpty(selector) ? [field.required(specPath.child('selector'))] : []),
    ...validateNotNegative(replicas, specPath.child('replicas')),
    ...(template ? validateTemplate(template, selector ?? {}, { ...context, path }) : [field.required(path)]),
  ]
}

function validateTemplate(
  template: PodTemplateSpec,
  selector: Readonly<Record<string, string>>,
  { path, ...context }: PodRulesContext & { readonly path: FieldPath },
): readonly field.FieldError[] {
  const labels = template.metadata?.labels
  const spec = path.child('spec')
  const { restartPolicy, activeDeadlineSeconds } = template.spec ?? {}
  const errors: field.FieldError[] = []
  if (Object.entries(selector).some(([key, value]) => labels?.[key] !== value))
    errors.push(field.invalid(path.child('metadata', 'labels'), labels, '`selector` does not match template `labels`'))
  errors.push(...validatePodTemplateSpec(template, path, context))
  if (restartPolicy !== 'Always')
    errors.push(field.notSupported(spec.child('restartPolicy'), restartPolicy ?? '', ['Always']))
  if (activeDeadlineSeconds !== undefined) {
    const why = 'activeDeadlineSeconds in ReplicationController is not Supported'
    errors.push(field.forbidden(spec.child('activeDeadlineSeconds'), why))
  }
  return errors
}

const counts = [
  'replicas',
  'fullyLabeledReplicas',
  'readyReplicas',
  'availableReplicas',
  'observedGeneration',
] as const satisfies readonly (keyof ReplicationControllerStatus)[]

/** Ready replicas may not exceed all replicas, and available ones not the ready ones. */
function validateStatus(status: ReplicationControllerStatus): readonly field.FieldError[] {
  const errors = counts.flatMap((name) => validateNotNegative(status[name] ?? 0, statusPath.child(name)))
  const { replicas, readyReplicas = 0, availableReplicas = 0 } = status
  for (const name of ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const) {
    const count = status[name] ?? 0
    if (count > replicas)
      errors.push(field.invalid(statusPath.child(name), count, 'cannot be greater than status.replicas'))
  }
  if (availableReplicas > readyReplicas) {
    const why = 'cannot be greater than readyReplicas'
    errors.push(field.invalid(statusPath.child('availableReplicas'), availableReplicas, why))
  }
  return errors
}

/** Upstream's path in warnings, although the template is in the spec. */
const warningPath = fieldPath('template')

function creationWarnings({ metadata, spec }: ReplicationController): readonly string[] {
  const messages = dnsLabel(metadata.name ?? '')
  return [
    ...(messages.length === 0
      ? []
      : [
          `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${messages.join(' ')}]`,
        ]),
    ...(spec.template ? podTemplateWarnings(spec.template, undefined, warningPath) : []),
  ]
}

function updateWarnings({ spec }: ReplicationController, old: ReplicationController): readonly string[] {
  if (!spec.template || !old.spec.template || isSame(spec, old.spec)) return []
  return podTemplateWarnings(spec.template, old.spec.template, warningPath)
}
