import { hasReason } from '../../api/errors.js'
import type { ObjectMeta } from '../../api/meta/v1/object-meta.js'
import type { Client } from '../../client/client.js'
import type { DeleteRequestOptions } from '../../client/request-options.js'
import type { AnyObject, ResourceClient } from '../../client/resource-client.js'
import type { ResourceLocation } from '../../client/resource-location.js'
import type { ObservedObject } from './references.js'

/** Reads the metadata of an object of any kind from the server; undefined if it does not exist. */
export async function readMetadata(
  client: Client,
  location: ResourceLocation,
  { namespace = '', name }: Pick<ObjectMeta, 'namespace' | 'name'>,
): Promise<ObjectMeta | undefined> {
  try {
    return (await client.resource(location).in(namespace).metadataOnly().get(name!)).metadata
  } catch (error) {
    if (hasReason(error, 'NotFound')) return undefined
    throw error
  }
}

/** Deletes an object with the same uid and, if `isExact`, the same resource version. An object that is gone is not an error. */
export async function deleteGarbage(
  client: Client,
  observed: ObservedObject,
  { policy, isExact }: { readonly policy: DeleteRequestOptions['propagationPolicy']; readonly isExact: boolean },
): Promise<void> {
  const { name, uid, resourceVersion } = observed.metadata
  const preconditions = { uid: uid!, ...(isExact && { resourceVersion: resourceVersion! }) }
  await unlessGone(resource(client, observed).delete(name!, { propagationPolicy: policy!, preconditions }))
}

/** For a merge patch, which every kind supports, custom resources included. */
export interface MetadataChange {
  readonly ownerReferences?: ObjectMeta['ownerReferences'] | null
  readonly finalizers?: readonly string[] | null
}

/** Patches an object that has not changed. Throws `Conflict` if it has. An object that is gone is not an error. */
export async function patchMetadata(client: Client, observed: ObservedObject, change: MetadataChange): Promise<void> {
  const { name, resourceVersion } = observed.metadata
  await unlessGone(resource(client, observed).patch(name!, 'merge', { metadata: { resourceVersion, ...change } }))
}

const maxAttempts = 5

/** Patches an object, again after each conflict, as long as `change` returns something. */
export async function changeMetadata(
  client: Client,
  observed: ObservedObject,
  change: (metadata: ObjectMeta) => MetadataChange | undefined,
): Promise<void> {
  const { location, metadata } = observed
  let current: ObjectMeta | undefined = metadata
  for (let attempt = 1; current?.uid === metadata.uid; attempt++) {
    const wanted = change(current!)
    if (!wanted) return
    try {
      return await patchMetadata(client, { location, metadata: current! }, wanted)
    } catch (error) {
      if (attempt === maxAttempts || !hasReason(error, 'Conflict')) throw error
    }
    current = await readMetadata(client, location, metadata)
  }
}

function resource(client: Client, { location, metadata }: ObservedObject): ResourceClient<AnyObject> {
  return client.resource(location).in(metadata.namespace ?? '')
}

async function unlessGone(done: Promise<unknown>): Promise<void> {
  try {
    await done
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error
  }
}
