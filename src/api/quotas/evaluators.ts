import { Quantity } from '../../schema/values/quantity.js'
import type { PersistentVolumeClaim } from '../core/v1/persistent-volume-claim.js'
import type { Service } from '../core/v1/service.js'
import type { QuotaQuantities } from './amounts.js'
import { objectCountEvaluator, type QuotaEvaluator } from './evaluator.js'
import { podEvaluator } from './pod-evaluator.js'
import { matchesValue } from './scopes.js'

/** The quota evaluator of a resource. */
export function quotaEvaluator(group: string, resource: string): QuotaEvaluator {
  return (group === '' ? coreEvaluators.get(resource) : undefined) ?? objectCountEvaluator(group, resource)
}

const serviceResources = ['count/services', 'services', 'services.nodeports', 'services.loadbalancers']

/** Updates count as well, because a service may change its type and so its usage. */
const serviceEvaluator: QuotaEvaluator = {
  counts: ({ operation }) => operation === 'CREATE' || operation === 'UPDATE',
  concerns: (resource) => serviceResources.includes(resource),
  usage: (object) => serviceUsage((object as unknown as Service).spec),
}

function serviceUsage({ type, ports = [], allocateLoadBalancerNodePorts }: Service['spec']): QuotaQuantities {
  const usage = new Map([
    ['count/services', Quantity.of(1)],
    ['services', Quantity.of(1)],
  ])
  const isBalanced = type === 'LoadBalancer'
  if (isBalanced) usage.set('services.loadbalancers', Quantity.of(1))
  if (isBalanced || type === 'NodePort') {
    const isOnRequest = isBalanced && allocateLoadBalancerNodePorts === false
    const count = isOnRequest ? ports.filter(({ nodePort }) => nodePort).length : ports.length
    usage.set('services.nodeports', Quantity.of(count))
  }
  return usage
}

const claimResources = ['count/persistentvolumeclaims', 'persistentvolumeclaims', 'requests.storage']
const classInfix = '.storageclass.storage.k8s.io/'

const claimEvaluator: QuotaEvaluator = {
  counts: ({ operation }) => operation === 'CREATE' || operation === 'UPDATE',
  concerns: (resource) =>
    claimResources.includes(resource) ||
    resource.endsWith(`${classInfix}persistentvolumeclaims`) ||
    resource.endsWith(`${classInfix}requests.storage`),
  usage: (object) => claimUsage(object as unknown as PersistentVolumeClaim),
  inScope: (object, scope) => {
    const { volumeAttributesClassName } = (object as unknown as PersistentVolumeClaim).spec
    return scope.scopeName === 'VolumeAttributesClass' && matchesValue(scope, volumeAttributesClassName || undefined)
  },
}

function claimUsage({ metadata, spec, status }: PersistentVolumeClaim): QuotaQuantities {
  const usage = new Map([
    ['count/persistentvolumeclaims', Quantity.of(1)],
    ['persistentvolumeclaims', Quantity.of(1)],
  ])
  const className = metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? spec.storageClassName ?? ''
  if (className !== '') usage.set(`${className}${classInfix}persistentvolumeclaims`, Quantity.of(1))
  const requested = spec.resources?.requests?.storage
  if (requested === undefined) return usage
  const size = larger(Quantity.parse(requested), status?.allocatedResources?.storage)
  usage.set('requests.storage', size)
  if (className !== '') usage.set(`${className}${classInfix}requests.storage`, size)
  return usage
}

/** While a claim recovers from a failed expansion, the larger size counts. */
function larger(requested: Quantity, allocated: string | undefined): Quantity {
  if (allocated === undefined) return requested
  const size = Quantity.parse(allocated)
  return size.compare(requested) > 0 ? size : requested
}

const coreEvaluators: ReadonlyMap<string, QuotaEvaluator> = new Map([
  ['pods', podEvaluator],
  ['services', serviceEvaluator],
  ['persistentvolumeclaims', claimEvaluator],
])
