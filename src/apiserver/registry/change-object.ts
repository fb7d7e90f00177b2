import { notFound } from '../../api/errors.js'
import type { KubeObject } from '../../api/kube-object.js'
import { canonical } from '../../schema/encode.js'
import type { CachedObject } from '../cache/cached-object.js'
import type { ObjectStore } from '../cache/object-store.js'
import type { ServedResource } from './served-resource.js'

export interface ChangeTarget {
  readonly store: ObjectStore
  readonly resource: ServedResource
  readonly namespace: string
  readonly name: string
}

/** What becomes of an object, given what it is; the same object if nothing does. Refuses by throwing an `ApiError`. */
export type ObjectMutation = (object: KubeObject, cached: CachedObject) => KubeObject

/** Changes an object by what the server itself knows, past the rules for clients; again, when somebody was faster. */
export async function changeObject(
  { store, resource, namespace, name }: ChangeTarget,
  change: ObjectMutation,
): Promise<KubeObject> {
  const key = resource.key(namespace, name)
  for (;;) {
    await store.waitUntilCurrent()
    const cached = resource.objects.get(key)
    if (!cached) throw notFound(resource.groupResource, name)
    const changed = change(cached.object, cached)
    if (changed === cached.object) return changed
    const { resourceVersion, ...metadata } = changed.metadata
    const object = canonical(resource.stored, { ...changed, metadata }) as KubeObject
    const written = await store.write([{ key, expected: cached.revision, object }])
    if (written) return written[0]!.object
  }
}
