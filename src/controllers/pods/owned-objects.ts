import { Pod } from '../../api/core/v1/pod.js'
import type { Informer, SharedInformers } from '../../client/informers/informer.js'
import type { AnyObject } from '../../client/resource-client.js'
import type { Schema } from '../../schema/declaration.js'
import type { Instance } from '../../schema/infer.js'
import { controllerOf } from '../runtime/owners.js'

const byController = 'controller'

/** The uid of the controller, or the namespace for orphans. No uid contains a blank. */
function indexKeys(object: AnyObject): readonly [string] {
  return [controllerOf(object)?.uid ?? orphansOf(object.metadata.namespace ?? '')]
}

function orphansOf(namespace: string): string {
  return `orphans in ${namespace}`
}

/** The objects of one kind that an owner controls, and those without controller. Found by index, without a scan. */
export class OwnedObjects<S extends Schema> {
  readonly #informer: Informer<Instance<S> & AnyObject>

  constructor(informers: SharedInformers, kind: S) {
    this.#informer = informers.of(kind)
    this.#informer.addIndex(byController, indexKeys)
  }

  /** All objects whose controller is `owner`. */
  of({ metadata }: AnyObject): Iterable<Instance<S> & AnyObject> {
    return this.#informer.by(byController, metadata.uid!)
  }

  ofUid(uid: string): Iterable<Instance<S> & AnyObject> {
    return this.#informer.by(byController, uid)
  }

  /** The objects of `owner`, and the orphans of its namespace, which it may adopt. */
  *claimable(owner: AnyObject): Iterable<Instance<S> & AnyObject> {
    yield* this.of(owner)
    yield* this.#informer.by(byController, orphansOf(owner.metadata.namespace!))
  }
}

export function ownedPods(informers: SharedInformers): OwnedObjects<typeof Pod> {
  return new OwnedObjects(informers, Pod)
}
