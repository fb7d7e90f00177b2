import { fieldPath } from '../../../schema/field-path.js'
import { quote } from '../../../schema/quote.js'
import { declareTable } from '../../../schema/schema.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { balancerAddresses, balancerWarnings } from '../../core/v1/service/load-balancer-validation.js'
import { Ingress } from './ingress.js'
import { classAnnotation, validateIngress, validateIngressStatus, validateIngressUpdate } from './ingress-validation.js'

export const ingressTable = declareTable<Ingress>(Ingress, {
  Class: ({ spec }) => spec.ingressClassName ?? '<none>',
  Hosts: hostsCell,
  Address: ({ status }) => balancerAddresses(status.loadBalancer?.ingress).join(','),
  Ports: ({ spec }) => (spec.tls?.length ? '80, 443' : '80'),
})

export const ingressStrategy = declareStrategy<Ingress>(Ingress, {
  intent: ({ spec }) => [spec],
  validate: validateIngress,
  validateUpdate: validateIngressUpdate,
  warnings(ingress, old) {
    if (old || ingress.metadata.annotations?.[classAnnotation] === undefined) return []
    return [`annotation ${quote(classAnnotation)} is deprecated, please use 'spec.ingressClassName' instead`]
  },
  subresources: {
    status: {
      validateUpdate: validateIngressStatus,
      warnings: ({ status }) =>
        balancerWarnings(status.loadBalancer?.ingress, fieldPath('status', 'loadBalancer', 'ingress')),
    },
  },
})

const shownAtMost = 3

/** After the maximum number of hosts, all further rules count as more, with or without a host. */
function hostsCell({ spec: { rules = [] } }: Ingress): string {
  const hosts: string[] = []
  let hasMore = false
  for (const { host } of rules) {
    hasMore ||= hosts.length === shownAtMost
    if (!hasMore && host) hosts.push(host)
  }
  if (hosts.length === 0) return '*'
  return hasMore ? `${hosts.join(',')} + ${rules.length - shownAtMost} more...` : hosts.join(',')
}
