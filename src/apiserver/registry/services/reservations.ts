import type { IPFamily } from '../../../api/core/v1/service.js'
import type { KubeObject } from '../../../api/kube-object.js'
import type { IPAddress } from '../../../api/networking/v1/ip-address.js'
import type { Environment } from '../../../base/environment.js'
import { ipFamily } from '../../../schema/values/ip-address.js'
import { formatTime } from '../../../schema/values/time.js'
import type { CachedObject } from '../../cache/cached-object.js'
import type { ObjectChange, ObjectCollection, ObjectStore } from '../../cache/object-store.js'

/** Who has something. */
export interface ReservationOwner {
  readonly namespace: string
  readonly name: string
}

/**
 * Things of which each can be held by one service only. What is held is an object of its own in the store, written in the same
 * transaction as the service: so nothing is ever held twice, whoever writes, and nothing is lost when a write is cut short.
 */
export class Reservations {
  readonly #prefix: string
  readonly #objects: ObjectCollection
  readonly #written: (name: string, holder: ReservationOwner) => KubeObject
  readonly #holder: (object: KubeObject) => ReservationOwner | undefined

  constructor(store: ObjectStore, form: ReservationFormat) {
    this.#prefix = form.prefix
    this.#objects = store.collection(form.prefix)
    this.#written = form.written
    this.#holder = form.holder
  }

  /** By whom something is held. */
  ownerOf(name: string): ReservationOwner | undefined {
    const cached = this.#objects.get(this.#prefix + name)
    return cached && (this.#holder(cached.object) ?? { namespace: '', name: '' })
  }

  isReserved(name: string): boolean {
    return this.#objects.get(this.#prefix + name) !== undefined
  }

  reserve(name: string, holder: ReservationOwner): ObjectChange {
    return { key: this.#prefix + name, expected: 0, object: this.#written(name, holder) }
  }

  /** Nothing if the holder does not hold it. */
  release(name: string, holder: ReservationOwner): readonly ObjectChange[] {
    const cached = this.#objects.get(this.#prefix + name)
    return cached && isSameOwner(this.#holder(cached.object), holder) ? [releaseReservation(cached)] : []
  }

  /** Everything that is held, by name, with whoever holds it; what services do not hold is left out. */
  *all(): Iterable<readonly [name: string, holder: ReservationOwner, kept: CachedObject]> {
    for (const cached of this.#objects.list(this.#prefix)) {
      const holder = this.#holder(cached.object)
      if (holder) yield [cached.key.slice(this.#prefix.length), holder, cached]
    }
  }
}

export function releaseReservation({ key, revision }: CachedObject): ObjectChange {
  return { key, expected: revision, object: undefined }
}

export function isSameOwner(left: ReservationOwner | undefined, right: ReservationOwner): boolean {
  return left?.namespace === right.namespace && left.name === right.name
}

interface ReservationFormat {
  readonly prefix: string
  readonly written: (name: string, holder: ReservationOwner) => KubeObject
  /** Undefined where it is not a service's. */
  readonly holder: (object: KubeObject) => ReservationOwner | undefined
}

const managedBy = 'ipaddress.kubernetes.io/managed-by'
const allocator = 'ipallocator.k8s.io'

/** Addresses: `IPAddress` objects, which everyone can look at. */
export function addressReservations(store: ObjectStore, environment: Environment): Reservations {
  return new Reservations(store, {
    prefix: '/registry/ipaddresses/',
    written: (name, holder) => addressObject(name, holder, environment),
    holder(object) {
      const { metadata, spec } = object as IPAddress
      const { group = '', resource, namespace = '', name } = spec.parentRef
      const isService = metadata.labels?.[managedBy] === allocator && group === '' && resource === 'services'
      return isService ? { namespace, name } : undefined
    },
  })
}

function addressObject(name: string, holder: ReservationOwner, { clock, random }: Environment): KubeObject {
  const family: IPFamily = ipFamily(name) === 6 ? 'IPv6' : 'IPv4'
  const address: IPAddress = {
    kind: 'IPAddress',
    apiVersion: 'networking.k8s.io/v1',
    metadata: {
      name,
      uid: random.uuid(),
      generation: 1,
      creationTimestamp: formatTime(clock.now()),
      labels: { 'ipaddress.kubernetes.io/ip-family': family, [managedBy]: allocator },
    },
    spec: { parentRef: { resource: 'services', ...holder } },
  }
  return address
}

/** Node ports: nobody's business but the server's, and so of no kind that is served. */
export function portReservations(store: ObjectStore): Reservations {
  return new Reservations(store, {
    prefix: '/registry/nodeports/',
    written: (name, holder) => nodePortObject(name, holder),
    holder: (object) => (object as NodePort).service,
  })
}

/** An object that only this server reads. No kind of this name is served. */
interface NodePort extends KubeObject {
  readonly service: ReservationOwner
}

function nodePortObject(name: string, holder: ReservationOwner): NodePort {
  return { kind: 'NodePort', apiVersion: 'v1', metadata: { name }, service: { ...holder } }
}
