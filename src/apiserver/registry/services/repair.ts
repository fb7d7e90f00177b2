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
 * Makes reservations and services agree again after something else has changed the store, or deleted an address object: every address and
 * port of a service is reserved for it, all others are released. Each step is a write of its own. Several servers may run this at once.
 */
export async function repairReservations(store: ObjectStore, environment: Environment): Promise<void> {
  await store.waitUntilCurrent()
  const services = store.collection(servicePrefix).list(servicePrefix)
  const all = services.map(({ object }) => object as Service)
  const addresses = addressReservations(store, environment)
  const ports = portReservations(store)
  const changes = [
    ...repairs(addresses, all, (service) => [...clusterIpsOf(service)], environment),
    ...repairs(ports, all, (service) => [...nodePortsOf(service)].map(String), environment),
  ]
  for (const change of changes) await store.write([change])
}

function* repairs(
  reservations: Reservations,
  services: readonly Service[],
  has: (service: Service) => readonly string[],
  { log }: Environment,
): Iterable<ObjectChange> {
  const owners = new Map<string, ReservationOwner>()
  for (const service of services) {
    const owner = { namespace: service.metadata.namespace ?? '', name: service.metadata.name ?? '' }
    for (const name of has(service)) {
      const other = owners.get(name)
      if (other) log.warn('address or port used by two services', { name, owner, other })
      else owners.set(name, owner)
    }
  }
  for (const [name, owner, cached] of reservations.all())
    if (!isSameOwner(owners.get(name), owner)) yield releaseReservation(cached)
  for (const [name, owner] of owners)
    if (!isSameOwner(reservations.ownerOf(name), owner)) yield reservations.reserve(name, owner)
}
