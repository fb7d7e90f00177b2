import { Pod } from '../../api/core/v1/pod.js'
import type { Informer, SharedInformers } from '../../client/informers/informer.js'
import type { AnyObject } from '../../client/resource-client.js'
import type { Schema } from '../../schema/declaration.js'
import type { Instance } from '../../schema/infer.js'
import { controllerOf } from '../runtime/owners.js'

const byController = 'controller'

/** Under the uid of the controller, or under the namespace for those that have none. No uid contains a blank. */
function filedUnder(object: AnyObject): readonly [string] {
  return [controllerOf(object)?.uid ?? orphansOf(object.metadata.namespace ?? '')]
}

function orphansOf(namespace: string): string {
  return `orphans in ${namespace}`
}

/** What an owner controls, and what nobody controls, of one kind: by index, never by looking at all there is. */
export class OwnedObjects<S extends Schema> {
  readonly #informer: Informer<Instance<S> & AnyObject>

  constructor(informers: SharedInformers, kind: S) {
    this.#informer = informers.of(kind)
    this.#informer.addIndex(byController, filedUnder)
  }

  /** Those whose controller is `owner`, in whatever state. */
  of({ metadata }: AnyObject): Iterable<Instance<S> & AnyObject> {
    return this.#informer.by(byController, metadata.uid!)
  }

  ofUid(uid: string): Iterable<Instance<S> & AnyObject> {
    return this.#informer.by(byController, uid)
  }

  /** Those in a namespace that have no controller. */
  orphansIn(namespace: string): Iterable<Instance<S> & AnyObject> {
    return this.#informer.by(byController, orphansOf(namespace))
  }

  /** Those that are its own, and those that it might adopt: to be claimed. */
  *claimable(owner: AnyObject): Iterable<Instance<S> & AnyObject> {
    yield* this.of(owner)
    yield* this.orphansIn(owner.metadata.namespace!)
  }
}

export function ownedPods(informers: SharedInformers): OwnedObjects<typeof Pod> {
  return new OwnedObjects(informers, Pod)
}
