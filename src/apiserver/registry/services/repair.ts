import type { Service } from '../../../api/core/v1/service.js'
import type { Environment } from '../../../base/environment.js'
import type { ObjectChange, ObjectStore } from '../../cache/object-store.js'
import { addressesOf } from './cluster-ips.js'
import { portsOf } from './node-ports.js'
import {
  addressReservations,
  type Holder,
  isSameHolder,
  portReservations,
  type Reservations,
  release,
} from './reservations.js'

const servicePrefix = '/registry/services/specs/'

/**
 * Makes reservations and services agree again, where somebody has written to the store behind the server's back, or deleted an
 * address: what a service has is reserved for it, what no service has is free. Each step stands alone, and two servers may do it
 * at once: who comes second finds nothing to do.
 */
export async function repairReservations(store: ObjectStore, environment: Environment): Promise<void> {
  await store.current()
  const services = store.collection(servicePrefix).list(servicePrefix)
  const all = services.map(({ object }) => object as Service)
  const addresses = addressReservations(store, environment)
  const ports = portReservations(store)
  const changes = [
    ...mended(addresses, all, (service) => [...addressesOf(service)], environment),
    ...mended(ports, all, (service) => [...portsOf(service)].map(String), environment),
  ]
  for (const change of changes) await store.write([change])
}

function* mended(
  reservations: Reservations,
  services: readonly Service[],
  has: (service: Service) => readonly string[],
  { log }: Environment,
): Iterable<ObjectChange> {
  const rightful = new Map<string, Holder>()
  for (const service of services) {
    const holder = { namespace: service.metadata.namespace ?? '', name: service.metadata.name ?? '' }
    for (const name of has(service)) {
      const other = rightful.get(name)
      if (other) log.warn('two services have the same address or port', { name, holder, other })
      else rightful.set(name, holder)
    }
  }
  for (const [name, holder, kept] of reservations.all())
    if (!isSameHolder(rightful.get(name), holder)) yield release(kept)
  for (const [name, holder] of rightful)
    if (!isSameHolder(reservations.heldBy(name), holder)) yield reservations.take(name, holder)
}
