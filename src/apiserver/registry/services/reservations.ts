import type { IPFamily } from '../../../api/core/v1/service.js'
import type { KubeObject } from '../../../api/kube-object.js'
import type { IPAddress } from '../../../api/networking/v1/ip-address.js'
import type { Environment } from '../../../base/environment.js'
import { ipFamily } from '../../../schema/values/ip-address.js'
import { formatTime } from '../../../schema/values/time.js'
import type { CachedObject } from '../../cache/cached-object.js'
import type { ObjectChange, ObjectCollection, ObjectStore } from '../../cache/object-store.js'

/** The service that owns a reservation. */
export interface ReservationOwner {
  readonly namespace: string
  readonly name: string
}

/**
 * Names that only one service can own: addresses or ports. Each reservation is an object of its own in the store, written in the same
 * transaction as the service. So no name is owned twice, whichever server writes, and an interrupted write leaks none.
 */
export class Reservations {
  readonly #prefix: string
  readonly #objects: ObjectCollection
  readonly #toObject: (name: string, owner: ReservationOwner) => KubeObject
  readonly #owner: (object: KubeObject) => ReservationOwner | undefined

  constructor(store: ObjectStore, format: ReservationFormat) {
    this.#prefix = format.prefix
    this.#objects = store.collection(format.prefix)
    this.#toObject = format.toObject
    this.#owner = format.owner
  }

  /** The owner of a name. */
  ownerOf(name: string): ReservationOwner | undefined {
    const cached = this.#objects.get(this.#prefix + name)
    return cached && (this.#owner(cached.object) ?? { namespace: '', name: '' })
  }

  isReserved(name: string): boolean {
    return this.#objects.get(this.#prefix + name) !== undefined
  }

  reserve(name: string, owner: ReservationOwner): ObjectChange {
    return { key: this.#prefix + name, expected: 0, object: this.#toObject(name, owner) }
  }

  /** Returns no change if another service owns it. */
  release(name: string, owner: ReservationOwner): readonly ObjectChange[] {
    const cached = this.#objects.get(this.#prefix + name)
    return cached && isSameOwner(this.#owner(cached.object), owner) ? [releaseReservation(cached)] : []
  }

  /** All reservations of services. */
  *all(): Iterable<readonly [name: string, owner: ReservationOwner, cached: CachedObject]> {
    for (const cached of this.#objects.list(this.#prefix)) {
      const owner = this.#owner(cached.object)
      if (owner) yield [cached.key.slice(this.#prefix.length), owner, cached]
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
  readonly toObject: (name: string, owner: ReservationOwner) => KubeObject
  /** Returns undefined if no service owns it. */
  readonly owner: (object: KubeObject) => ReservationOwner | undefined
}

const managedBy = 'ipaddress.kubernetes.io/managed-by'
const allocator = 'ipallocator.k8s.io'

/** Reservations of addresses: `IPAddress` objects, which clients can read. */
export function addressReservations(store: ObjectStore, environment: Environment): Reservations {
  return new Reservations(store, {
    prefix: '/registry/ipaddresses/',
    toObject: (name, owner) => addressObject(name, owner, environment),
    owner(object) {
      const { metadata, spec } = object as IPAddress
      const { group = '', resource, namespace = '', name } = spec.parentRef
      const isService = metadata.labels?.[managedBy] === allocator && group === '' && resource === 'services'
      return isService ? { namespace, name } : undefined
    },
  })
}

function addressObject(name: string, owner: ReservationOwner, { clock, random }: Environment): KubeObject {
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
    spec: { parentRef: { resource: 'services', ...owner } },
  }
  return address
}

/** Reservations of node ports: objects of a kind that is not served. */
export function portReservations(store: ObjectStore): Reservations {
  return new Reservations(store, {
    prefix: '/registry/nodeports/',
    toObject: (name, owner) => nodePortObject(name, owner),
    owner: (object) => (object as NodePort).service,
  })
}

/** An object that only this server reads. No kind of this name is served. */
interface NodePort extends KubeObject {
  readonly service: ReservationOwner
}

function nodePortObject(name: string, owner: ReservationOwner): NodePort {
  return { kind: 'NodePort', apiVersion: 'v1', metadata: { name }, service: { ...owner } }
}
