import { Quantity } from '../../../../schema/values/quantity.js'
import { isPodResource } from '../resource-requirements/resource-names.js'
import type { ResourceRequirements } from '../resource-requirements.js'
import type { PodSpec } from './spec.js'
import type { PodQOSClass } from './status.js'

/** The resources that determine the QoS class. */
const decisive = ['cpu', 'memory'] as const

/**
 * The QoS class, which decides the order of eviction from a node under pressure. Guaranteed pods have limits equal to their requests,
 * BestEffort pods have neither. Pod-level resources replace those of the containers.
 */
export function qosClassOf(spec: PodSpec): PodQOSClass {
  const parts = partsOf(spec)
  if (!parts.some(asksForSomething)) return 'BestEffort'
  return parts.every(isFullyLimited) && isAskedForInFull(parts) ? 'Guaranteed' : 'Burstable'
}

function partsOf({ resources, containers, initContainers = [] }: PodSpec): readonly ResourceRequirements[] {
  if (resources && saysSomething(resources)) return [resources]
  return [...(containers ?? []), ...initContainers].map((container) => container.resources ?? {})
}

/** Whether pod-level resources are in use at all. */
export function saysSomething({ requests = {}, limits = {} }: ResourceRequirements): boolean {
  return Object.keys(requests).some(isPodResource) || Object.keys(limits).some(isPodResource)
}

function asksForSomething({ requests, limits }: ResourceRequirements): boolean {
  return decisive.some((name) => isPositive(requests?.[name]) || isPositive(limits?.[name]))
}

function isPositive(quantity: string | undefined): quantity is string {
  return quantity !== undefined && quantity !== '0' && !quantity.startsWith('-')
}

function isFullyLimited({ limits }: ResourceRequirements): boolean {
  return decisive.every((name) => isPositive(limits?.[name]))
}

/** Compares the sums over all containers. */
function isAskedForInFull(parts: readonly ResourceRequirements[]): boolean {
  return decisive.every((name) => {
    if (parts.every(({ requests, limits }) => requests?.[name] === limits?.[name])) return true
    const requests = sum(parts.map((part) => part.requests?.[name]))
    return !requests.isZero() && requests.equals(sum(parts.map((part) => part.limits?.[name])))
  })
}

function sum(quantities: readonly (string | undefined)[]): Quantity {
  return quantities.filter(isPositive).reduce((total, one) => total.add(Quantity.parse(one)), Quantity.zero)
}
