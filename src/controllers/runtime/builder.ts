import type { OwnerReference } from '../../api/meta/v1/object-meta.js'
import { type Change, keyOf } from '../../client/informers/informer.js'
import { groupOf, placeOf, type ResourcePlace } from '../../client/place.js'
import type { AnyObject } from '../../client/resource-client.js'
import type { Schema } from '../../schema/declaration.js'
import type { Instance } from '../../schema/infer.js'
import type { Controller } from './controller.js'
import { startLoop } from './loop.js'
import { controllerOf } from './owners.js'
import type { KeyMapper, Reconcile, ReconcilerOptions, WatchedKind } from './reconcile.js'

/** What is a kind: declared, or known by discovery only. */
export type KindOrResource = Schema | ResourcePlace

type ObjectOf<K extends KindOrResource> = K extends Schema ? Instance<K> & AnyObject : AnyObject

/** `controller('replicaset').for(ReplicaSet).owns(Pod).reconcile(fn)` */
export function controller(name: string): ControllerBuilder {
  return new ControllerBuilder({ name, watched: [], workers: defaultWorkers, initialKeys: [] })
}

const defaultWorkers = 10

export class ControllerBuilder {
  readonly #parts: Omit<ReconcilerOptions, 'reconcile'>
  readonly #primary: ResourcePlace | undefined

  constructor(parts: Omit<ReconcilerOptions, 'reconcile'>, primary?: ResourcePlace) {
    this.#parts = parts
    this.#primary = primary
  }

  /** The kind whose objects are the keys. */
  for<K extends KindOrResource>(kind: K): ControllerBuilder {
    const watched = watching(kind, ({ object }) => [keyOf(object)])
    return new ControllerBuilder({ ...this.#parts, watched: [...this.#parts.watched, watched] }, watched.place)
  }

  /** A kind whose objects the loop makes: a change of one concerns the object that controls it, and the one that did. */
  owns<K extends KindOrResource>(kind: K): ControllerBuilder {
    const primary = this.#primary
    if (!primary) throw new TypeError(`${this.#parts.name}: say what it is for before what it owns`)
    return this.watches(kind, (change) => ownersOf(change, primary))
  }

  /** A kind whose changes concern keys in some other way. */
  watches<K extends KindOrResource>(kind: K, concerns: KeyMapper<ObjectOf<K>>): ControllerBuilder {
    return this.#with({ watched: [...this.#parts.watched, watching(kind, concerns)] })
  }

  /** How many keys are looked at at once. */
  workers(workers: number): ControllerBuilder {
    return this.#with({ workers })
  }

  /** Keys that are looked at from the start, whatever is there: for loops over something that is no object. */
  startingWith(...initialKeys: readonly string[]): ControllerBuilder {
    return this.#with({ initialKeys })
  }

  reconcile(reconcile: Reconcile): Controller {
    const parts = { ...this.#parts, reconcile }
    return { name: parts.name, start: (surroundings) => startLoop(parts, surroundings) }
  }

  #with(parts: Partial<ReconcilerOptions>): ControllerBuilder {
    return new ControllerBuilder({ ...this.#parts, ...parts }, this.#primary)
  }
}

function watching<K extends KindOrResource>(kind: K, concerns: KeyMapper<ObjectOf<K>>): WatchedKind {
  return {
    place: 'is' in kind ? placeOf(kind) : kind,
    informer: (informers) => informers.of(kind as Schema),
    keysOf: concerns as KeyMapper<AnyObject>, // the informer is of that kind
  }
}

function* ownersOf({ object, old }: Change<AnyObject>, owner: ResourcePlace): Iterable<string> {
  const now = controllerOf(object)
  if (now && isOf(now, owner)) yield keyOfOwner(now, object, owner)
  const before = old && controllerOf(old)
  if (before && before.uid !== now?.uid && isOf(before, owner)) yield keyOfOwner(before, object, owner)
}

/** Of whatever version: an owner may have been written down in another one. */
function isOf({ apiVersion, kind }: OwnerReference, place: ResourcePlace): boolean {
  return kind === place.kind && groupOf(apiVersion) === groupOf(place.apiVersion)
}

function keyOfOwner({ name }: OwnerReference, { metadata }: AnyObject, { namespaced }: ResourcePlace): string {
  return namespaced ? `${metadata.namespace}/${name}` : name
}
