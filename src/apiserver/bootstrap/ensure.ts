import type { KubeObject } from '../../api/kube-object.js'
import { setDefaults } from '../../schema/defaults.js'
import { canonicalObject } from '../../schema/encode.js'
import type { ObjectChange } from '../cache/object-store.js'
import type { ServedResource } from '../registry/served-resource.js'
import type { VerbDependencies } from '../verbs/verb-scope.js'

/** An object that the cluster must have, and its resource. */
export interface Necessity {
  readonly resource: ServedResource
  readonly object: object
}

/** Creates an object unless one with its name exists. Two servers may try at once: one succeeds, the other does nothing. */
export async function ensure(server: VerbDependencies, { resource, object }: Necessity): Promise<void> {
  if (isThere(resource, object)) return
  const key = storeKeyOf(resource, object as KubeObject)
  const born = bornObject(server, resource, object)
  const companions: readonly ObjectChange[] =
    (await resource.hooks.companions?.({ draft: born as never, old: undefined, dryRun: false })) ?? []
  await server.store.write([{ key, expected: 0, object: born }, ...companions])
}

/** Reports whether an object with that name exists. */
export function isThere(resource: ServedResource, object: object): boolean {
  return resource.allObjects.get(storeKeyOf(resource, object as KubeObject)) !== undefined
}

/** Returns the object as a client's create would store it. */
function bornObject(server: VerbDependencies, resource: ServedResource, given: object): KubeObject {
  const object = canonicalObject(resource.stored, given)
  setDefaults(resource.stored, object)
  const { metadata } = object as KubeObject
  const generation = resource.stored.strategy.intent ? { generation: 1 } : {}
  const born = {
    ...metadata,
    uid: server.environment.random.uuid(),
    ...generation,
    creationTimestamp: server.timestamps.now(),
  }
  return canonicalObject(resource.stored, { ...object, metadata: born }) as KubeObject
}

export function storeKeyOf(resource: ServedResource, { metadata }: KubeObject): string {
  return resource.key(metadata.namespace ?? '', metadata.name ?? '')
}
