import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { memberOf } from '../../../../schema/json-value.js'
import { dnsLabel, dnsSubdomain } from '../../../../schema/names.js'
import { compareText } from '../../../../schema/text-order.js'
import { Quantity } from '../../../../schema/values/quantity.js'
import {
  type RequirementsContext,
  validateContainerResources,
  validatePodLevelResources,
} from '../resource-requirements/validation.js'
import { containerTotals } from './resources.js'
import type { PodResourceClaim, PodSpec } from './spec.js'
import type { PodRulesContext } from './validation-context.js'

/** Validates the pod-level resources. */
export function validatePodResources(spec: PodSpec, path: FieldPath): readonly field.FieldError[] {
  if (!spec.resources) return field.none
  const errors: field.FieldError[] = []
  if (spec.resources.claims)
    errors.push(field.forbidden(path.child('claims'), 'claims cannot be set for Resources at pod-level'))
  errors.push(...validatePodLevelResources(spec.resources, path, requirementsContext(spec)))
  errors.push(...validateTotals(spec, path), ...validateContainerLimits(spec, path))
  return errors
}

/** Pod-level requests must be at least the sum of the container requests. */
function validateTotals(spec: PodSpec, path: FieldPath): readonly field.FieldError[] {
  const errors: field.FieldError[] = []
  const totals = [...containerTotals(spec, 'requests')].sort(([left], [right]) => compareText(left, right))
  for (const [name, total] of totals) {
    const request = memberOf(spec.resources?.requests, name)
    if (request === undefined || total.compare(Quantity.parse(request)) <= 0) continue
    const why = `must be greater than or equal to aggregate container requests of ${total}`
    errors.push(field.invalid(path.child('requests').key(name), request, why))
  }
  return errors
}

function validateContainerLimits({ containers, resources }: PodSpec, path: FieldPath): readonly field.FieldError[] {
  const errors: field.FieldError[] = []
  for (const [i, container] of containers.entries()) {
    const limits = container.resources?.limits
    for (const name in limits) {
      const limit = limits[name]!
      const whole = memberOf(resources?.limits, name)
      if (whole === undefined || Quantity.parse(limit).compare(Quantity.parse(whole)) <= 0) continue
      const at = path.child('containers').index(i).key(name).child('limits')
      errors.push(field.invalid(at, limit, `must be less than or equal to pod limits of ${whole}`))
    }
  }
  return errors
}

/** Validates the overhead like the limits of a container. */
export function validateOverhead(spec: PodSpec, path: FieldPath): readonly field.FieldError[] {
  if (!spec.overhead) return field.none
  return validateContainerResources({ limits: spec.overhead }, path, requirementsContext(spec))
}

function requirementsContext({ resourceClaims = [] }: PodSpec): RequirementsContext {
  return { claims: new Set(resourceClaims.map(({ name }) => name)), anyHugePages: () => false }
}

/** Validates the resource claims of a pod. */
export function validatePodResourceClaims(
  claims: readonly PodResourceClaim[] | undefined,
  path: FieldPath,
  { podName }: PodRulesContext,
): readonly field.FieldError[] {
  if (!claims) return field.none
  const names = new Set<string>()
  return claims.flatMap((claim, i) => [
    ...validateClaimName(claim, path.index(i).child('name'), { names, podName }),
    ...validateClaimSource(claim, path.index(i)),
  ])
}

interface ClaimNames {
  readonly names: Set<string>
  readonly podName: string | undefined
}

/** A claim that is created from a template is named after its pod. */
function validateClaimName(
  { name, resourceClaimTemplateName }: PodResourceClaim,
  path: FieldPath,
  { names, podName }: ClaimNames,
): readonly field.FieldError[] {
  if (name === '') return [field.required(path)]
  if (names.has(name)) return [field.duplicate(path, name)]
  names.add(name)
  const messages = dnsLabel(name)
  if (messages.length > 0 || podName === undefined || resourceClaimTemplateName === undefined)
    return field.invalidForEach(path, name, messages)
  const full = `${podName}-${name}`
  const wrong = dnsSubdomain(full).map((message) => `final ResourceClaim name: ${message}`)
  return field.invalidForEach(path, full, wrong)
}

function validateClaimSource(claim: PodResourceClaim, path: FieldPath): readonly field.FieldError[] {
  const { name, resourceClaimName, resourceClaimTemplateName } = claim
  const errors: field.FieldError[] = []
  const shown = {
    Name: name,
    ResourceClaimName: resourceClaimName ?? null,
    ResourceClaimTemplateName: resourceClaimTemplateName ?? null,
  }
  if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined) {
    const why = 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified'
    errors.push(field.invalid(path, shown, why))
  }
  if (resourceClaimName === undefined && resourceClaimTemplateName === undefined) {
    const why = 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`'
    errors.push(field.invalid(path, shown, why))
  }
  for (const key of ['resourceClaimName', 'resourceClaimTemplateName'] as const) {
    const value = claim[key]
    if (value !== undefined) errors.push(...field.invalidForEach(path.child(key), value, dnsSubdomain(value)))
  }
  return errors
}
