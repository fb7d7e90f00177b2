/** Validates the spec of a stateful set. */
import * as field from '../../../schema/field-errors.js'
import type { FieldPath } from '../../../schema/field-path.js'
import { dnsLabel } from '../../../schema/names.js'
import { checkClaimSpec } from '../../core/v1/persistent-volume-claim/validation.js'
import type { PodRulesContext } from '../../core/v1/pod/validation-context.js'
import { validatePodTemplateSpec } from '../../core/v1/pod-template/validation.js'
import type { PodTemplateSpec } from '../../core/v1/pod-template.js'
import { validateNoneNegative, validateNotNegative } from '../../validation/numbers.js'
import { isNothing, validateAtMostWhole, validateIntOrPercent } from '../../validation/percentages.js'
import type {
  RollingUpdateStatefulSetStrategy,
  StatefulSetPersistentVolumeClaimRetentionPolicy,
  StatefulSetSpec,
  StatefulSetUpdateStrategy,
} from './stateful-set.js'
import {
  parsedSelector,
  validateKeptRunning,
  validateOwnSelector,
  validateSelected,
} from './workload-template-validation.js'

interface StatefulSetContext extends PodRulesContext {
  /** The old spec of an update. Problems that it already has are ignored. */
  readonly oldSpec: StatefulSetSpec | undefined
}

export function validateStatefulSetSpec(
  spec: StatefulSetSpec,
  path: FieldPath,
  context: StatefulSetContext,
): readonly field.FieldError[] {
  return [
    ...validatePodManagementPolicy(spec.podManagementPolicy, path.child('podManagementPolicy')),
    ...validateUpdateStrategy(spec.updateStrategy ?? {}, path.child('updateStrategy')),
    ...validateRetentionPolicy(spec.persistentVolumeClaimRetentionPolicy, path),
    ...validateClaims(spec, path.child('volumeClaimTemplates'), context),
    ...validateNoneNegative(spec, ['replicas', 'minReadySeconds'], path),
    ...validateNotNegative(spec.ordinals?.start, path.child('ordinals', 'start')),
    ...(context.oldSpec ? [] : validateServiceName(spec.serviceName, path.child('serviceName'))),
    ...validateOwnSelector(spec.selector, path.child('selector'), 'statefulset'),
    ...validateTemplate(spec, path, context),
    ...validateKeptRunning(spec.template, path.child('template'), 'StatefulSet'),
  ]
}

function validatePodManagementPolicy(policy: string | undefined, path: FieldPath): readonly field.FieldError[] {
  if (!policy) return [field.required(path)]
  if (policy === 'OrderedReady' || policy === 'Parallel') return field.none
  return [field.invalid(path, policy, "must be 'OrderedReady' or 'Parallel'")]
}

function validateUpdateStrategy(wanted: StatefulSetUpdateStrategy, path: FieldPath): readonly field.FieldError[] {
  const { type, rollingUpdate } = wanted
  const rollingPath = path.child('rollingUpdate')
  const shown = rollingUpdate ? rollingUpdateShown(rollingUpdate) : null
  if (!type) return [field.required(path)]
  if (type === 'RollingUpdate') return rollingUpdate ? validateRollingUpdate(rollingUpdate, rollingPath) : field.none
  if (type === 'OnDelete')
    return rollingUpdate
      ? [field.invalid(rollingPath, shown, "only allowed for updateStrategy 'RollingUpdate'")]
      : field.none
  return [field.invalid(path, { Type: type, RollingUpdate: shown }, "must be 'RollingUpdate' or 'OnDelete'")]
}

/** With the field names of upstream's internal types, for messages. */
function rollingUpdateShown({ partition = 0, maxUnavailable }: RollingUpdateStatefulSetStrategy): object {
  return { Partition: partition, MaxUnavailable: maxUnavailable ?? null }
}

function validateRollingUpdate(
  { partition, maxUnavailable }: RollingUpdateStatefulSetStrategy,
  path: FieldPath,
): readonly field.FieldError[] {
  const errors: field.FieldError[] = [...validateNotNegative(partition, path.child('partition'))]
  if (maxUnavailable === undefined) return errors
  const unavailablePath = path.child('maxUnavailable')
  errors.push(...validateIntOrPercent(maxUnavailable, unavailablePath))
  if (isNothing(maxUnavailable)) errors.push(field.invalid(unavailablePath, maxUnavailable, 'cannot be 0'))
  errors.push(...validateAtMostWhole(maxUnavailable, unavailablePath))
  return errors
}

const retentionPolicies: readonly string[] = ['Retain', 'Delete']

function validateRetentionPolicy(
  policy: StatefulSetPersistentVolumeClaimRetentionPolicy | undefined,
  path: FieldPath,
): readonly field.FieldError[] {
  if (!policy) return field.none
  return (['whenDeleted', 'whenScaled'] as const).flatMap((name) => {
    const value = policy[name] ?? ''
    if (retentionPolicies.includes(value)) return field.none
    const where = path.child('persistentVolumeClaimRetentionPolicy', name)
    return [field.notSupported(where, value, retentionPolicies)]
  })
}

/** Validates claim templates, unless the old ones were invalid: they were not validated in the past. */
function validateClaims(
  spec: StatefulSetSpec,
  path: FieldPath,
  { oldSpec }: StatefulSetContext,
): readonly field.FieldError[] {
  return oldSpec && claimErrors(oldSpec, path).length > 0 ? field.none : claimErrors(spec, path)
}

function claimErrors({ volumeClaimTemplates = [] }: StatefulSetSpec, path: FieldPath): readonly field.FieldError[] {
  const errors: field.FieldError[] = []
  for (const [i, claim] of volumeClaimTemplates.entries())
    checkClaimSpec(claim.spec, path.index(i).child('spec'), errors)
  return errors
}

/** The service name becomes the subdomain of every pod. */
function validateServiceName(name: string | undefined, path: FieldPath): readonly field.FieldError[] {
  return name ? field.invalidForEach(path, name, dnsLabel(name)) : field.none
}

function validateTemplate(
  spec: StatefulSetSpec,
  path: FieldPath,
  context: StatefulSetContext,
): readonly field.FieldError[] {
  const selector = parsedSelector(spec.selector)
  if (!selector) return [field.invalid(path.child('selector'), spec.selector, '')]
  const templatePath = path.child('template')
  return [
    ...(selector.isEmpty ? [] : validateSelected(spec.template, selector, templatePath)),
    ...(wasWrong(context, templatePath) ? [] : validatePodTemplateSpec(withClaims(spec), templatePath, context)),
  ]
}

/** Whether the old template is invalid. Templates were not validated in the past, and such a set must stay changeable. */
function wasWrong({ oldSpec, allowPrivileged }: StatefulSetContext, path: FieldPath): boolean {
  return oldSpec !== undefined && validatePodTemplateSpec(withClaims(oldSpec), path, { allowPrivileged }).length > 0
}

/** The template with a volume for each claim, which replaces a volume of the same name. */
function withClaims({ template, volumeClaimTemplates = [] }: StatefulSetSpec): PodTemplateSpec {
  if (volumeClaimTemplates.length === 0 || !template.spec) return template
  const claims = volumeClaimTemplates.map(({ metadata: { name = '' } }) => ({
    name,
    persistentVolumeClaim: { claimName: name },
  }))
  const names = new Set(claims.map(({ name }) => name))
  const others = (template.spec.volumes ?? []).filter(({ name }) => !names.has(name))
  return { ...template, spec: { ...template.spec, volumes: [...others, ...claims] } }
}
