import type { IPFamily } from '../../../api/core/v1/service.js'
import type { KubeObject } from '../../../api/kube-object.js'
import type { IPAddress } from '../../../api/networking/v1/ip-address.js'
import type { Environment } from '../../../base/environment.js'
import { ipFamily } from '../../../schema/values/ip-address.js'
import { formatTime } from '../../../schema/values/time.js'
import type { KeptObject } from '../../cache/kept-object.js'
import type { ObjectChange, ObjectCollection, ObjectStore } from '../../cache/object-store.js'

/** Who has something. */
export interface Holder {
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
  readonly #written: (name: string, holder: Holder) => KubeObject
  readonly #holder: (object: KubeObject) => Holder | undefined

  constructor(store: ObjectStore, form: ReservationForm) {
    this.#prefix = form.prefix
    this.#objects = store.collection(form.prefix)
    this.#written = form.written
    this.#holder = form.holder
  }

  /** By whom something is held. */
  heldBy(name: string): Holder | undefined {
    const kept = this.#objects.get(this.#prefix + name)
    return kept && (this.#holder(kept.object) ?? { namespace: '', name: '' })
  }

  isHeld(name: string): boolean {
    return this.#objects.get(this.#prefix + name) !== undefined
  }

  take(name: string, holder: Holder): ObjectChange {
    return { key: this.#prefix + name, expected: 0, object: this.#written(name, holder) }
  }

  /** Nothing if the holder does not hold it. */
  giveBack(name: string, holder: Holder): readonly ObjectChange[] {
    const kept = this.#objects.get(this.#prefix + name)
    return kept && isSameHolder(this.#holder(kept.object), holder) ? [release(kept)] : []
  }

  /** Everything that is held, by name, with whoever holds it; what services do not hold is left out. */
  *all(): Iterable<readonly [name: string, holder: Holder, kept: KeptObject]> {
    for (const kept of this.#objects.list(this.#prefix)) {
      const holder = this.#holder(kept.object)
      if (holder) yield [kept.key.slice(this.#prefix.length), holder, kept]
    }
  }
}

export function release({ key, revision }: KeptObject): ObjectChange {
  return { key, expected: revision, object: undefined }
}

export function isSameHolder(left: Holder | undefined, right: Holder): boolean {
  return left?.namespace === right.namespace && left.name === right.name
}

interface ReservationForm {
  readonly prefix: string
  readonly written: (name: string, holder: Holder) => KubeObject
  /** Undefined where it is not a service's. */
  readonly holder: (object: KubeObject) => Holder | undefined
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

function addressObject(name: string, holder: Holder, { clock, random }: Environment): KubeObject {
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
  readonly service: Holder
}

function nodePortObject(name: string, holder: Holder): NodePort {
  return { kind: 'NodePort', apiVersion: 'v1', metadata: { name }, service: { ...holder } }
}
