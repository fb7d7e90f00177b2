import { notFound } from '../../api/errors.js'
import type { KubeObject } from '../../api/kube-object.js'
import { canonicalObject } from '../../schema/encode.js'
import type { CachedObject } from '../cache/cached-object.js'
import type { ObjectStore } from '../cache/object-store.js'
import type { ServedResource } from './served-resource.js'

export interface ChangeTarget {
  readonly store: ObjectStore
  readonly resource: ServedResource
  readonly namespace: string
  readonly name: string
}

/** Returns the changed object, or the same object for no change. Throws an `ApiError` to reject. */
export type ObjectMutation = (object: KubeObject, cached: CachedObject) => KubeObject

/** Changes an object on behalf of the server, without strategy and admission. Repeats this when another write interferes. */
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
    const object = canonicalObject(resource.stored, { ...changed, metadata }) as KubeObject
    const written = await store.write([{ key, expected: cached.revision, object }])
    if (written) return written[0]!.object
  }
}
