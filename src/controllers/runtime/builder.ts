import type { OwnerReference } from '../../api/meta/v1/object-meta.js'
import { type Change, keyOf } from '../../client/informers/informer.js'
import type { AnyObject } from '../../client/resource-client.js'
import { groupOf, locationOf, type ResourceLocation } from '../../client/resource-location.js'
import type { Schema } from '../../schema/declaration.js'
import type { Instance } from '../../schema/infer.js'
import { startController } from './loop.js'
import { controllerOf } from './owners.js'
import {
  type Controller,
  type KeyMapper,
  type Reconcile,
  type ReconcilerOptions,
  type ReconcileSteps,
  reconcileInSteps,
  type WatchedKind,
} from './reconcile.js'

/** A declared kind, or a resource that only discovery knows. */
export type KindOrResource = Schema | ResourceLocation

type ObjectOf<K extends KindOrResource> = K extends Schema ? Instance<K> & AnyObject : AnyObject

/** `controller('replicaset').for(ReplicaSet).owns(Pod).reconcile(fn)` */
export function controller(name: string, queue = name): ControllerBuilder {
  return new ControllerBuilder({ name, queue, watched: [], workers: defaultWorkers, initialKeys: [] })
}

const defaultWorkers = 10

export class ControllerBuilder {
  readonly #options: Omit<ReconcilerOptions, 'reconcile'>
  readonly #primary: ResourceLocation | undefined

  constructor(options: Omit<ReconcilerOptions, 'reconcile'>, primary?: ResourceLocation) {
    this.#options = options
    this.#primary = primary
  }

  /** The kind whose objects are the keys. */
  for<K extends KindOrResource>(kind: K): ControllerBuilder {
    const watched = watching(kind, ({ object }) => [keyOf(object)])
    return new ControllerBuilder({ ...this.#options, watched: [...this.#options.watched, watched] }, watched.place)
  }

  /** A kind that the controller creates. A change reconciles the object's controller, and the former one if that changed. */
  owns<K extends KindOrResource>(kind: K): ControllerBuilder {
    const primary = this.#primary
    if (!primary) throw new TypeError(`${this.#options.name}: call for() before owns()`)
    return this.watches(kind, (change) => ownersOf(change, primary))
  }

  /** Another kind. `keysOf` says which keys to reconcile when one of its objects changes; none unless given. */
  watches<K extends KindOrResource>(kind: K, keysOf: KeyMapper<ObjectOf<K>> = () => []): ControllerBuilder {
    return this.#with({ watched: [...this.#options.watched, watching(kind, keysOf)] })
  }

  /** How many keys are reconciled at the same time. */
  workers(workers: number): ControllerBuilder {
    return this.#with({ workers })
  }

  /** Keys that are reconciled at the start, for controllers whose keys are not objects. */
  startingWith(...initialKeys: readonly string[]): ControllerBuilder {
    return this.#with({ initialKeys })
  }

  reconcile<Observation, Decision>(reconcile: Reconcile | ReconcileSteps<Observation, Decision>): Controller {
    const run = typeof reconcile === 'function' ? reconcile : reconcileInSteps(reconcile)
    const options = { ...this.#options, reconcile: run }
    return { name: options.name, start: (dependencies) => startController(options, dependencies) }
  }

  #with(options: Partial<ReconcilerOptions>): ControllerBuilder {
    return new ControllerBuilder({ ...this.#options, ...options }, this.#primary)
  }
}

function watching<K extends KindOrResource>(kind: K, keysOf: KeyMapper<ObjectOf<K>>): WatchedKind {
  return {
    place: 'is' in kind ? locationOf(kind) : kind,
    informer: (informers) => informers.of(kind as Schema),
    keysOf: keysOf as KeyMapper<AnyObject>, // the informer is of that kind
  }
}

function* ownersOf({ object, old }: Change<AnyObject>, owner: ResourceLocation): Iterable<string> {
  const now = controllerOf(object)
  if (now && isOf(now, owner)) yield keyOfOwner(now, object, owner)
  const before = old && controllerOf(old)
  if (before && before.uid !== now?.uid && isOf(before, owner)) yield keyOfOwner(before, object, owner)
}

/** The version does not matter: the reference may name another one that is served as well. */
function isOf({ apiVersion, kind }: OwnerReference, place: ResourceLocation): boolean {
  return kind === place.kind && groupOf(apiVersion) === groupOf(place.apiVersion)
}

function keyOfOwner({ name }: OwnerReference, { metadata }: AnyObject, { namespaced }: ResourceLocation): string {
  return namespaced ? `${metadata.namespace}/${name}` : name
}
