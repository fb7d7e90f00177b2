/** Classifies resources by name: native or extended, divisible or not, with or without overcommit. */
import { labelKey } from '../../../../schema/label-names.js'
import { ValueError } from '../../../../schema/value-error.js'
import { Quantity } from '../../../../schema/values/quantity.js'

const hugePagesPrefix = 'hugepages-'
const requestsPrefix = 'requests.'

const containerResources: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage'])

const countedObjects = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
] as const

const quotaResources: ReadonlySet<string> = new Set([
  ...containerResources,
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  ...countedObjects,
])

const integerResources: ReadonlySet<string> = new Set(countedObjects)

export function isHugePages(name: string): boolean {
  return name.startsWith(hugePagesPrefix)
}

function isQuotaOfHugePages(name: string): boolean {
  return isHugePages(name) || name.startsWith(requestsPrefix + hugePagesPrefix)
}

/** Resources whose name needs no domain. */
export function isStandardResource(name: string): boolean {
  return isWellKnownResource(name) || isQuotaOfHugePages(name)
}

/** Standard resources without a size in their name. */
export function isWellKnownResource(name: string): boolean {
  return quotaResources.has(name) || name === 'storage'
}

/** Standard resources of containers. */
export function isContainerResource(name: string): boolean {
  return containerResources.has(name) || isHugePages(name)
}

/** Standard resources of quotas. */
export function isQuotaResource(name: string): boolean {
  return quotaResources.has(name) || isQuotaOfHugePages(name)
}

/** Resources of pod-level requests. */
export function isPodResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || isHugePages(name)
}

/** Resources of Kubernetes itself: without a domain, or with one of its own. */
export function isNativeResource(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/')
}

/** Extended resources, such as `example.com/gpu`. Their name must be valid with the prefix `requests.` of quotas as well. */
export function isExtendedResource(name: string): boolean {
  return !isNativeResource(name) && !name.startsWith(requestsPrefix) && labelKey(requestsPrefix + name).length === 0
}

/** Indivisible resources. */
export function isIntegerResource(name: string): boolean {
  return integerResources.has(name) || isExtendedResource(name)
}

/** Whether a resource can be overcommitted, so that requests and limits may differ. */
export function isOvercommitAllowed(name: string): boolean {
  return isNativeResource(name) && !isHugePages(name)
}

/** Whether a quantity of huge pages is a multiple of the page size; false if the name has no size. */
export function isWholeNumberOfPages(name: string, quantity: string): boolean {
  const size = pageSize(name)
  return size !== undefined && Quantity.parse(quantity).scaledValue(0) % size === 0n
}

function pageSize(name: string): bigint | undefined {
  try {
    const size = Quantity.parse(name.slice(hugePagesPrefix.length))
    return size.sign() > 0 && !isFractional(size.toString()) ? size.scaledValue(0) : undefined
  } catch (error) {
    if (error instanceof ValueError) return undefined
    throw error
  }
}

/** Whether a canonical quantity has a fraction. Only some suffixes allow one. */
export function isFractional(quantity: string): boolean {
  return mayBeFractional(quantity) && Quantity.parse(quantity).scaledValue(-3) % 1000n !== 0n
}

function mayBeFractional(quantity: string): boolean {
  return quantity.endsWith('m') || quantity.endsWith('u') || quantity.endsWith('n') || quantity.includes('e-')
}
