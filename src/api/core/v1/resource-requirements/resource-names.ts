/** What the name of a resource says about it: who knows it, whether it can be divided, whether more than there is may be promised. */
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

/** Those that need no domain before their name. */
export function isStandardResource(name: string): boolean {
  return isWellKnownResource(name) || isQuotaOfHugePages(name)
}

/** Those of them whose name says no size. */
export function isWellKnownResource(name: string): boolean {
  return quotaResources.has(name) || name === 'storage'
}

/** Those of them that a container can ask for. */
export function isContainerResource(name: string): boolean {
  return containerResources.has(name) || isHugePages(name)
}

/** Those of them that a quota can limit. */
export function isQuotaResource(name: string): boolean {
  return quotaResources.has(name) || isQuotaOfHugePages(name)
}

/** Those that a pod as a whole can ask for. */
export function isPodResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || isHugePages(name)
}

/** Of Kubernetes itself: without a domain, or with one of its own. */
export function isNativeResource(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/')
}

/** Of somebody else, such as `example.com/gpu`. Its name is also good when a quota puts `requests.` before it. */
export function isExtendedResource(name: string): boolean {
  return !isNativeResource(name) && !name.startsWith(requestsPrefix) && labelKey(requestsPrefix + name).length === 0
}

/** Those that come in whole pieces. */
export function isIntegerResource(name: string): boolean {
  return integerResources.has(name) || isExtendedResource(name)
}

/** Whether containers may be promised more than there is, so that requests and limits can differ. */
export function isOvercommitAllowed(name: string): boolean {
  return isNativeResource(name) && !isHugePages(name)
}

/** Whether an amount of huge pages is a number of pages; never, if the name tells no size. */
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

/** Whether a quantity in its canonical form has thousandths. Only some suffixes can. */
export function isFractional(quantity: string): boolean {
  return mayBeFractional(quantity) && Quantity.parse(quantity).scaledValue(-3) % 1000n !== 0n
}

function mayBeFractional(quantity: string): boolean {
  return quantity.endsWith('m') || quantity.endsWith('u') || quantity.endsWith('n') || quantity.includes('e-')
}
