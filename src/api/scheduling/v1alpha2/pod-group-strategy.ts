import * as field from '../../../schema/field-errors.js'
import { fieldPath } from '../../../schema/field-path.js'
import type { Draft } from '../../../schema/infer.js'
import { dnsLabel } from '../../../schema/names.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { labelName } from '../../metadata/name-validation.js'
import { keepMetadata } from '../../metadata/status-metadata.js'
import { validateConditions } from '../../validation/conditions.js'
import { validateImmutable } from '../../validation/immutability.js'
import { PodGroup, type PodGroupSpec, type PodGroupTemplateReference } from './pod-group.js'
import { validateSchedulingPolicy } from './scheduling-policy-validation.js'

const specPath = fieldPath('spec')

export const podGroupStrategy = declareStrategy<PodGroup>(PodGroup, {
  name: labelName,
  intent: ({ spec }) => [spec],
  prepareCreate(draft) {
    draft.status = {}
  },
  prepareUpdate(draft, old) {
    draft.status = old.status as Draft<PodGroup['status']>
  },
  validate: ({ spec }) => [
    ...(spec.podGroupTemplateRef ? validateTemplateReference(spec.podGroupTemplateRef) : []),
    ...validateSchedulingPolicy(spec.schedulingPolicy, specPath.child('schedulingPolicy')),
  ],
  validateUpdate: ({ spec }, { spec: old }) => [
    ...validateImmutable(spec.podGroupTemplateRef, old.podGroupTemplateRef, specPath.child('podGroupTemplateRef')),
    ...validateImmutable(spec.schedulingPolicy, old.schedulingPolicy, specPath.child('schedulingPolicy')),
  ],
  subresources: {
    status: {
      prepareUpdate(draft, old) {
        draft.spec = old.spec as Draft<PodGroupSpec>
        keepMetadata(draft, old)
      },
      validateUpdate: ({ status }) => validateConditions(status.conditions, fieldPath('status', 'conditions')),
    },
  },
})

function validateTemplateReference({ workload }: PodGroupTemplateReference): readonly field.FieldError[] {
  const path = specPath.child('podGroupTemplateRef')
  if (!workload) return [field.invalid(path, '', 'must specify one of: `workload`')]
  return (['workloadName', 'podGroupTemplateName'] as const).flatMap((name) => {
    const at = path.child('workload', name)
    return workload[name] === ''
      ? [field.required(at)]
      : field.invalidForEach(at, workload[name], dnsLabel(workload[name]))
  })
}
