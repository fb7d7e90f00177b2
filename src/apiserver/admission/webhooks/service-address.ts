import type { Service } from '../../../api/core/v1/service.js'
import { quote } from '../../../schema/quote.js'
import type { ObjectLookup } from '../lookup.js'

export interface WebhookService {
  readonly namespace: string
  readonly name: string
  readonly port: number
}

export interface HostPort {
  readonly host: string
  readonly port: number
}

/** Returns the address of a service. Throws if there is none. */
export type ServiceResolver = (service: WebhookService) => HostPort | Promise<HostPort>

/** Resolves services to their cluster IPs. */
export function clusterAddresses(services: ObjectLookup<Service>): ServiceResolver {
  return async ({ namespace, name, port }) => {
    const service = await services.find(name, namespace)
    if (!service) throw new Error(`service ${quote(name)} not found`)
    const { type = 'ClusterIP', clusterIP = '', externalName = '', ports = [] } = service.spec
    if (type === 'ExternalName') return { host: externalName, port }
    if (type === 'ClusterIP' && clusterIP === 'None') throw new Error('cannot route to service with ClusterIP "None"')
    if (!ports.some((known) => known.port === port))
      throw new Error(`no service port ${port} found for service ${quote(name)}`)
    return { host: clusterIP, port }
  }
}
