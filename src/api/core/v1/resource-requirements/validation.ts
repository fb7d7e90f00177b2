/** The context for the validation of requests and limits. */

import * as field from '../../../../schema/field-errors.js'
import { FieldError } from '../../../../schema/field-errors.js'
import { FieldPath } from '../../../../schema/field-path.js'
import { memberOf } from '../../../../schema/json-value.js'
import { dnsLabel } from '../../../../schema/names.js'
import { compareText } from '../../../../schema/text-order.js'
import { Quantity } from '../../../../schema/values/quantity.js'
import { visitContainers } from '../pod/containers.js'
import type { PodSpec } from '../pod/spec.js'
import type { ResourceClaim, ResourceRequirements } from '../resource-requirements.js'
import {
  type ResourceNameRule,
  validateContainerResourceName,
  validatePodResourceName,
  validateResourceQuantity,
} from './resource-list-validation.js'
import { isHugePages, isOvercommitAllowed, isWholeNumberOfPages } from './resource-names.js'

export interface RequirementsContext {
  /** The names of the resource claims of the pod. */
  readonly claims: ReadonlySet<string>
  /** Whether to accept invalid quantities of huge pages, because the old pod has some. Called only if there are any. */
  readonly anyHugePages: () => boolean
}

type Resources = Readonly<Record<string, string>>

/** Validates the resources of a container. */
export function validateContainerResources(
  requirements: ResourceRequirements,
  path: FieldPath,
  context: RequirementsContext,
): readonly FieldError[] {
  return validateRequirements(requirements, path, context, validateContainerResourceName)
}

/** Validates pod-level resources, except for their relation to those of the containers. */
export function validatePodLevelResources(
  requirements: ResourceRequirements,
  path: FieldPath,
  context: RequirementsContext,
): readonly FieldError[] {
  return validateRequirements(requirements, path, context, validatePodResourceName)
}

function validateRequirements(
  requirements: ResourceRequirements,
  path: FieldPath,
  context: RequirementsContext,
  nameRule: ResourceNameRule,
): readonly FieldError[] {
  const { limits, requests, claims } = requirements
  if (!limits && !requests && !claims) return field.none
  const errors: FieldError[] = []
  const limitsPath = path.child('limits')
  const requestsPath = path.child('requests')
  for (const name in limits) {
    const at = limitsPath.key(name)
    errors.push(
      ...validateAmount(name, limits[name]!, at, nameRule),
      ...validatePages(name, limits[name]!, at, context),
    )
  }
  for (const name in requests) {
    const at = requestsPath.key(name)
    errors.push(
      ...validateAmount(name, requests[name]!, at, nameRule),
      ...validateAgainstLimit(name, requests[name]!, { limits, limitsPath, requestsPath }),
      ...validatePages(name, requests[name]!, at, context),
    )
  }
  if (isHugePagesAlone(limits, requests)) errors.push(field.forbidden(path, 'HugePages require cpu or memory'))
  errors.push(...validateResourceClaims(claims, path.child('claims'), context.claims))
  return errors
}

function validateAmount(
  name: string,
  quantity: string,
  path: FieldPath,
  nameRule: ResourceNameRule,
): readonly FieldError[] {
  const errors = nameRule(name, path)
  const wrong = validateResourceQuantity(name, quantity, path)
  return wrong.length === 0 ? errors : [...errors, ...wrong]
}

function validatePages(
  name: string,
  quantity: string,
  path: FieldPath,
  context: RequirementsContext,
): readonly FieldError[] {
  if (!isHugePages(name) || isWholeNumberOfPages(name, quantity) || context.anyHugePages()) return field.none
  return [field.invalid(path, quantity, `${quantity} is not positive integer multiple of ${name}`)]
}

interface Limits {
  readonly limits: Resources | undefined
  readonly limitsPath: FieldPath
  readonly requestsPath: FieldPath
}

/** The error has the path of all requests. */
function validateAgainstLimit(
  name: string,
  request: string,
  { limits, limitsPath, requestsPath }: Limits,
): readonly FieldError[] {
  const limit = memberOf(limits, name)
  if (limit === request) return field.none
  if (limit === undefined) {
    if (isOvercommitAllowed(name)) return field.none
    return [field.required(limitsPath, 'Limit must be set for non overcommitable resources')]
  }
  const order = Quantity.parse(request).compare(Quantity.parse(limit))
  if (order !== 0 && !isOvercommitAllowed(name))
    return [field.invalid(requestsPath, request, `must be equal to ${name} limit of ${limit}`)]
  if (order <= 0) return field.none
  return [field.invalid(requestsPath, request, `must be less than or equal to ${name} limit of ${limit}`)]
}

function isHugePagesAlone(limits: Resources = {}, requests: Resources = {}): boolean {
  if (hasCompute(limits) || hasCompute(requests)) return false
  return Object.keys(limits).some(isHugePages) || Object.keys(requests).some(isHugePages)
}

function hasCompute(resources: Resources): boolean {
  return 'cpu' in resources || 'memory' in resources
}

const noClaims: ReadonlySet<string> = new Set()

/** The names of the resource claims of a pod. */
export function claimNames({ resourceClaims }: PodSpec): ReadonlySet<string> {
  if (!resourceClaims) return noClaims
  return new Set(resourceClaims.map(({ name }) => name).filter((name) => name !== ''))
}

/**
 * Whether a pod has a quantity of huge pages that is not a multiple of the page size. Old servers accepted them, so such pods stay valid.
 */
export function usesBrokenHugePages(spec: PodSpec): boolean {
  let isBroken = hasBrokenPages(spec.overhead)
  visitContainers(spec, FieldPath.none, ({ resources = {} }) => {
    isBroken ||= hasBrokenPages(resources.limits) || hasBrokenPages(resources.requests)
  })
  return isBroken
}

function hasBrokenPages(resources: Resources = {}): boolean {
  return Object.keys(resources).some((name) => isHugePages(name) && !isWholeNumberOfPages(name, resources[name]!))
}

/** Validates the resource claims that a container uses: claims of the pod, each as a whole or by distinct requests. */
export function validateResourceClaims(
  claims: readonly ResourceClaim[] | undefined,
  path: FieldPath,
  known: ReadonlySet<string>,
): readonly FieldError[] {
  if (!claims) return field.none
  const errors: FieldError[] = []
  const used = new Set<string>()
  for (const [i, claim] of claims.entries()) {
    const at = path.index(i)
    if (claim.name === '') errors.push(field.required(at))
    else errors.push(...validateUse(claim, at, used), ...validateKnown(claim.name, at, known))
  }
  return errors
}

/** `used` contains the names of claims that are used as a whole, and `name/request` for the others. */
function validateUse({ name, request = '' }: ResourceClaim, path: FieldPath, used: Set<string>): readonly FieldError[] {
  if (used.has(name)) return [field.duplicate(path, name)]
  const key = request === '' ? name : `${name}/${request}`
  const errors: FieldError[] = []
  if (request !== '') errors.push(...field.invalidForEach(path.child('request'), request, dnsLabel(request)))
  if (used.has(key)) errors.push(field.duplicate(path, key))
  else if (request === '')
    for (const other of used) if (other.startsWith(`${name}/`)) errors.push(field.duplicate(path, name))
  used.add(key)
  return errors
}

function validateKnown(name: string, path: FieldPath, known: ReadonlySet<string>): readonly FieldError[] {
  if (known.has(name)) return field.none
  const names = known.size === 0 ? ' which is empty' : `: ${[...known].sort(compareText).join(', ')}`
  return [
    new FieldError('FieldValueNotFound', path, name, `must be one of the names in pod.spec.resourceClaims${names}`),
  ]
}
