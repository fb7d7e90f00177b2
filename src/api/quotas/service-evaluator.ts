import { Quantity } from '../../schema/values/quantity.js'
import type { Service } from '../core/v1/service.js'
import type { KubeObject } from '../kube-object.js'
import type { ResourceAmounts } from './amounts.js'
import type { QuotaEvaluator } from './evaluator.js'

const names = ['count/services', 'services', 'services.nodeports', 'services.loadbalancers']

/** A service may change its type, and so what it uses. */
export const serviceEvaluator: QuotaEvaluator = {
  counts: ({ operation }) => operation === 'CREATE' || operation === 'UPDATE',
  concerns: (resource) => names.includes(resource),
  usage: (object: KubeObject) => usageOf((object as unknown as Service).spec),
}

function usageOf({ type, ports = [], allocateLoadBalancerNodePorts }: Service['spec']): ResourceAmounts {
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
