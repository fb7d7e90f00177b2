import type { LimitRange, LimitRangeItem } from '../../../api/core/v1/limit-range.js'
import type { PersistentVolumeClaim } from '../../../api/core/v1/persistent-volume-claim.js'
import { containerTotals } from '../../../api/core/v1/pod/resources.js'
import type { PodSpec } from '../../../api/core/v1/pod/spec.js'
import type { Pod } from '../../../api/core/v1/pod.js'
import type { ResourceRequirements } from '../../../api/core/v1/resource-requirements.js'
import { memberOf } from '../../../schema/json-value.js'
import { Quantity } from '../../../schema/values/quantity.js'

/** Returns the amount of a resource; undefined if it is not set. */
type AmountOf = (name: string) => Quantity | undefined

interface Sizes {
  readonly request: AmountOf
  readonly limit: AmountOf
}

/** Returns what is too large or too small in a pod, in the order of the limits. */
export function podLimitErrors({ spec }: LimitRange, pod: Pod): readonly string[] {
  const errors: string[] = []
  const { containers = [], initContainers = [] } = pod.spec
  for (const limit of spec.limits ?? []) {
    if (limit.type === 'Pod') limitErrors(limit, podSizes(pod.spec), errors)
    if (limit.type !== 'Container') continue
    for (const { resources } of containers) limitErrors(limit, sizesOf(resources), errors)
    for (const { resources } of initContainers) limitErrors(limit, sizesOf(resources), errors)
  }
  return errors
}

/** Resources of the pod as a whole take precedence over the sum of its containers. */
function podSizes(spec: PodSpec): Sizes {
  const own = sizesOf(spec.resources)
  const requests = containerTotals(spec, 'requests')
  const limits = containerTotals(spec, 'limits')
  return {
    request: (name) => own.request(name) ?? requests.get(name),
    limit: (name) => own.limit(name) ?? limits.get(name),
  }
}

function sizesOf(resources: ResourceRequirements | undefined): Sizes {
  return { request: amountIn(resources?.requests), limit: amountIn(resources?.limits) }
}

function amountIn(given: Readonly<Record<string, string>> | undefined): AmountOf {
  return (name) => {
    const quantity = memberOf(given, name)
    return quantity === undefined ? undefined : Quantity.parse(quantity)
  }
}

/** Returns what is too large or too small in a claim. Claims have requests only. */
export function claimLimitErrors(
  { spec }: LimitRange,
  { spec: { resources } }: PersistentVolumeClaim,
): readonly string[] {
  const sizes: Sizes = { request: amountIn(resources?.requests), limit: () => undefined }
  return (spec.limits ?? [])
    .filter(({ type }) => type === 'PersistentVolumeClaim')
    .flatMap(({ type, min, max }) => [
      ...boundsIn(min).flatMap((bound) => minimumError(type, bound, sizes) ?? []),
      ...boundsIn(max).flatMap((bound) => claimMaximumError(type, bound, sizes) ?? []),
    ])
}

interface Bound {
  readonly name: string
  readonly quantity: Quantity
}

/** By the object that they were parsed from, which is a part of a stored object and so never changes. */
const cachedBounds = new WeakMap<object, readonly Bound[]>()

/** Returns the bounds, sorted by name. */
function boundsIn(given: Readonly<Record<string, string>> | undefined): readonly Bound[] {
  if (!given) return []
  let bounds = cachedBounds.get(given)
  if (!bounds) {
    const names = Object.keys(given).sort()
    bounds = names.map((name) => ({ name, quantity: Quantity.parse(given[name]!) }))
    cachedBounds.set(given, bounds)
  }
  return bounds
}

type Check = (type: string, bound: Bound, sizes: Sizes) => string | undefined

function limitErrors({ type, min, max, maxLimitRequestRatio }: LimitRangeItem, sizes: Sizes, errors: string[]): void {
  const check = (given: typeof min, errorOf: Check) => {
    for (const bound of boundsIn(given)) {
      const error = errorOf(type, bound, sizes)
      if (error !== undefined) errors.push(error)
    }
  }
  check(min, minimumError)
  check(max, maximumError)
  check(maxLimitRequestRatio, ratioError)
}

function minimumError(type: string, { name, quantity }: Bound, sizes: Sizes): string | undefined {
  const request = sizes.request(name)
  const limit = sizes.limit(name)
  const rule = () => `minimum ${name} usage per ${type} is ${quantity}`
  if (!request) return `${rule()}.  No request is specified`
  if (request.compare(quantity) < 0) return `${rule()}, but request is ${request}`
  return limit && limit.compare(quantity) < 0 ? `${rule()}, but limit is ${limit}` : undefined
}

function maximumError(type: string, { name, quantity }: Bound, sizes: Sizes): string | undefined {
  const request = sizes.request(name)
  const limit = sizes.limit(name)
  const rule = () => `maximum ${name} usage per ${type} is ${quantity}`
  if (!limit) return `${rule()}.  No limit is specified`
  if (limit.compare(quantity) > 0) return `${rule()}, but limit is ${limit}`
  return request && request.compare(quantity) > 0 ? `${rule()}, but request is ${request}` : undefined
}

function claimMaximumError(type: string, { name, quantity }: Bound, sizes: Sizes): string | undefined {
  const request = sizes.request(name)
  const rule = () => `maximum ${name} usage per ${type} is ${quantity}`
  if (!request) return `${rule()}.  No request is specified`
  return request.compare(quantity) > 0 ? `${rule()}, but request is ${request}` : undefined
}

function ratioError(type: string, { name, quantity }: Bound, sizes: Sizes): string | undefined {
  const request = sizes.request(name)
  const limit = sizes.limit(name)
  const rule = () => `${name} max limit to request ratio per ${type} is ${quantity}, but`
  if (!request || request.isZero()) return `${rule()} no request is specified or request is 0`
  if (!limit || limit.isZero()) return `${rule()} no limit is specified or limit is 0`
  const ratio = limit.toNumber() / request.toNumber()
  return ratio > quantity.toNumber() ? `${rule()} provided ratio is ${ratio.toFixed(6)}` : undefined
}
