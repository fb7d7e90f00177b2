import type { Service } from '../../../api/core/v1/service.js'
import type { Environment } from '../../../base/environment.js'
import type { ObjectChange, ObjectStore } from '../../cache/object-store.js'
import { clusterIpsOf } from './cluster-ips.js'
import { nodePortsOf } from './node-ports.js'
import {
  addressReservations,
  isSameOwner,
  portReservations,
  type ReservationOwner,
  type Reservations,
  releaseReservation,
} from './reservations.js'

const servicePrefix = '/registry/services/specs/'

/**
 * Makes reservations and services agree again, where somebody has written to the store behind the server's back, or deleted an
 * address: what a service has is reserved for it, what no service has is free. Each step stands alone, and two servers may do it
 * at once: who comes second finds nothing to do.
 */
export async function repairReservations(store: ObjectStore, environment: Environment): Promise<void> {
  await store.waitUntilCurrent()
  const services = store.collection(servicePrefix).list(servicePrefix)
  const all = services.map(({ object }) => object as Service)
  const addresses = addressReservations(store, environment)
  const ports = portReservations(store)
  const changes = [
    ...mended(addresses, all, (service) => [...clusterIpsOf(service)], environment),
    ...mended(ports, all, (service) => [...nodePortsOf(service)].map(String), environment),
  ]
  for (const change of changes) await store.write([change])
}

function* mended(
  reservations: Reservations,
  services: readonly Service[],
  has: (service: Service) => readonly string[],
  { log }: Environment,
): Iterable<ObjectChange> {
  const rightful = new Map<string, ReservationOwner>()
  for (const service of services) {
    const holder = { namespace: service.metadata.namespace ?? '', name: service.metadata.name ?? '' }
    for (const name of has(service)) {
      const other = rightful.get(name)
      if (other) log.warn('two services have the same address or port', { name, holder, other })
      else rightful.set(name, holder)
    }
  }
  for (const [name, holder, cached] of reservations.all())
    if (!isSameOwner(rightful.get(name), holder)) yield releaseReservation(cached)
  for (const [name, holder] of rightful)
    if (!isSameOwner(reservations.ownerOf(name), holder)) yield reservations.reserve(name, holder)
}
