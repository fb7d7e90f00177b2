import * as field from '../../../schema/field-errors.js'
import { fieldPath } from '../../../schema/field-path.js'
import { dnsLabel, dnsSubdomain } from '../../../schema/names.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { validateImmutable } from '../../validation/immutability.js'
import { validatePathSegment } from '../../validation/paths.js'
import { validateSchedulingPolicy } from './scheduling-policy-validation.js'
import { type PodGroupTemplate, type TypedLocalObjectReference, Workload, type WorkloadSpec } from './workload.js'

const specPath = fieldPath('spec')
const templatesPath = specPath.child('podGroupTemplates')
const mostTemplates = 8

export const workloadStrategy = declareStrategy<Workload>(Workload, {
  intent: ({ spec }) => [spec],
  validate: ({ spec }) => [
    ...(spec.controllerRef ? validateController(spec.controllerRef) : []),
    ...validateTemplates(spec.podGroupTemplates ?? []),
  ],
  validateUpdate: ({ spec }, old) => validateUpdate(spec, old.spec),
})

/** The controller of a workload can be set once. */
function validateUpdate(spec: WorkloadSpec, old: WorkloadSpec): readonly field.FieldError[] {
  const controllerPath = specPath.child('controllerRef')
  return [
    ...(old.controllerRef
      ? validateImmutable(spec.controllerRef, old.controllerRef, controllerPath)
      : spec.controllerRef
        ? validateController(spec.controllerRef)
        : []),
    ...validateImmutable(spec.podGroupTemplates, old.podGroupTemplates, templatesPath),
    ...validateTemplateCount(spec.podGroupTemplates ?? []),
  ]
}

function validateController({ apiGroup = '', kind, name }: TypedLocalObjectReference): readonly field.FieldError[] {
  const path = specPath.child('controllerRef')
  return [
    ...(apiGroup === '' ? [] : field.invalidForEach(path.child('apiGroup'), apiGroup, dnsSubdomain(apiGroup))),
    ...validatePathSegment(kind, path.child('kind')),
    ...validatePathSegment(name, path.child('name')),
  ]
}

function validateTemplateCount(templates: readonly PodGroupTemplate[]): readonly field.FieldError[] {
  if (templates.length === 0) return [field.required(templatesPath, 'must have at least one item')]
  return templates.length > mostTemplates ? [field.tooMany(templatesPath, templates.length, mostTemplates)] : field.none
}

function validateTemplates(templates: readonly PodGroupTemplate[]): readonly field.FieldError[] {
  const wrongCount = validateTemplateCount(templates)
  if (wrongCount.length > 0) return wrongCount
  const names = templates.map(({ name }) => name)
  return templates.flatMap(({ name, schedulingPolicy }, i) => {
    const path = templatesPath.index(i)
    return [
      ...(name === '' ? [field.required(path.child('name'))] : []),
      ...(name === '' ? [] : field.invalidForEach(path.child('name'), name, dnsLabel(name))),
      ...(names.indexOf(name) < i ? [field.duplicate(path, name)] : []),
      ...validateSchedulingPolicy(schedulingPolicy, path.child('schedulingPolicy')),
    ]
  })
}
