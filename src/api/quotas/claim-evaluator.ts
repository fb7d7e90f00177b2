import { Quantity } from '../../schema/values/quantity.js'
import type { PersistentVolumeClaim } from '../core/v1/persistent-volume-claim.js'
import type { KubeObject } from '../kube-object.js'
import type { ResourceAmounts } from './amounts.js'
import type { QuotaEvaluator } from './evaluator.js'
import { matchesValue } from './scopes.js'

const names = ['count/persistentvolumeclaims', 'persistentvolumeclaims', 'requests.storage']
const classInfix = '.storageclass.storage.k8s.io/'

export const claimEvaluator: QuotaEvaluator = {
  counts: ({ operation }) => operation === 'CREATE' || operation === 'UPDATE',
  concerns: (resource) =>
    names.includes(resource) ||
    resource.endsWith(`${classInfix}persistentvolumeclaims`) ||
    resource.endsWith(`${classInfix}requests.storage`),
  usage: (object: KubeObject) => usageOf(object as unknown as PersistentVolumeClaim),
  inScope: (object, scope) => {
    const { volumeAttributesClassName } = (object as unknown as PersistentVolumeClaim).spec
    return scope.scopeName === 'VolumeAttributesClass' && matchesValue(scope, volumeAttributesClassName || undefined)
  },
}

function usageOf({ metadata, spec, status }: PersistentVolumeClaim): ResourceAmounts {
  const usage = new Map([
    ['count/persistentvolumeclaims', Quantity.of(1)],
    ['persistentvolumeclaims', Quantity.of(1)],
  ])
  const className = metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? spec.storageClassName ?? ''
  if (className !== '') usage.set(`${className}${classInfix}persistentvolumeclaims`, Quantity.of(1))
  const asked = spec.resources?.requests?.storage
  if (asked === undefined) return usage
  const size = larger(Quantity.parse(asked), status?.allocatedResources?.storage)
  usage.set('requests.storage', size)
  if (className !== '') usage.set(`${className}${classInfix}requests.storage`, size)
  return usage
}

/** While a claim shrinks back from a size that could not be had, the larger one still counts. */
function larger(asked: Quantity, allocated: string | undefined): Quantity {
  if (allocated === undefined) return asked
  const given = Quantity.parse(allocated)
  return given.compare(asked) > 0 ? given : asked
}
