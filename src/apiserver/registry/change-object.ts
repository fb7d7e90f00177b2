import { notFound } from '../../api/errors.js'
import type { KubeObject } from '../../api/kube-object.js'
import { canonical } from '../../schema/encode.js'
import type { KeptObject } from '../cache/kept-object.js'
import type { ObjectStore } from '../cache/object-store.js'
import type { ServedResource } from './served-resource.js'

export interface ObjectPlace {
  readonly store: ObjectStore
  readonly resource: ServedResource
  readonly namespace: string
  readonly name: string
}

/** What becomes of an object, given what it is; the same object if nothing does. Refuses by throwing an `ApiError`. */
export type Change = (object: KubeObject, kept: KeptObject) => KubeObject

/** Changes an object by what the server itself knows, past the rules for clients; again, when somebody was faster. */
export async function changeObject(
  { store, resource, namespace, name }: ObjectPlace,
  change: Change,
): Promise<KubeObject> {
  const key = resource.key(namespace, name)
  for (;;) {
    await store.current()
    const kept = resource.objects.get(key)
    if (!kept) throw notFound(resource.groupResource, name)
    const changed = change(kept.object, kept)
    if (changed === kept.object) return changed
    const { resourceVersion, ...metadata } = changed.metadata
    const object = canonical(resource.stored, { ...changed, metadata }) as KubeObject
    const written = await store.write([{ key, expected: kept.revision, object }])
    if (written) return written[0]!.object
  }
}
