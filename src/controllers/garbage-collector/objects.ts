import { hasReason } from '../../api/errors.js'
import type { ObjectMeta } from '../../api/meta/v1/object-meta.js'
import type { Client } from '../../client/client.js'
import type { DeleteOptions } from '../../client/request-options.js'
import type { AnyObject, ResourceClient } from '../../client/resource-client.js'
import type { ResourceLocation } from '../../client/resource-location.js'
import type { Observed } from './references.js'

/** Reading and writing one object, of whatever kind. */

/** What the server knows of an object at this moment; undefined if there is none of that name. */
export async function read(
  client: Client,
  place: ResourceLocation,
  { namespace = '', name }: Pick<ObjectMeta, 'namespace' | 'name'>,
): Promise<ObjectMeta | undefined> {
  try {
    return (await client.resource(place).in(namespace).metadataOnly().get(name!)).metadata
  } catch (error) {
    if (hasReason(error, 'NotFound')) return undefined
    throw error
  }
}

/** Deletes it, if it is still that object, and, where told, still as it was observed. One that is gone already is fine. */
export async function remove(
  client: Client,
  observed: Observed,
  { policy, isExact }: { readonly policy: DeleteOptions['propagationPolicy']; readonly isExact: boolean },
): Promise<void> {
  const { name, uid, resourceVersion } = observed.metadata
  const preconditions = { uid: uid!, ...(isExact && { resourceVersion: resourceVersion! }) }
  await unlessGone(resource(client, observed).delete(name!, { propagationPolicy: policy!, preconditions }))
}

/** What can be changed here. A merge patch: every kind takes it, those of custom resources included. */
export interface MetadataChange {
  readonly ownerReferences?: ObjectMeta['ownerReferences'] | null
  readonly finalizers?: readonly string[] | null
}

/** Changes metadata of an object that is still as it was observed. Throws `Conflict` if it is not; one that is gone is fine. */
export async function write(client: Client, observed: Observed, change: MetadataChange): Promise<void> {
  const { name, resourceVersion } = observed.metadata
  await unlessGone(resource(client, observed).patch(name!, 'merge', { metadata: { resourceVersion, ...change } }))
}

const attempts = 5

/** The same as often as somebody else is faster, as long as there is something to change. */
export async function rewrite(
  client: Client,
  observed: Observed,
  change: (metadata: ObjectMeta) => MetadataChange | undefined,
): Promise<void> {
  const { place, metadata } = observed
  let current: ObjectMeta | undefined = metadata
  for (let attempt = 1; current?.uid === metadata.uid; attempt++) {
    const wanted = change(current!)
    if (!wanted) return
    try {
      return await write(client, { place, metadata: current! }, wanted)
    } catch (error) {
      if (attempt === attempts || !hasReason(error, 'Conflict')) throw error
    }
    current = await read(client, place, metadata)
  }
}

function resource(client: Client, { place, metadata }: Observed): ResourceClient<AnyObject> {
  return client.resource(place).in(metadata.namespace ?? '')
}

async function unlessGone(done: Promise<unknown>): Promise<void> {
  try {
    await done
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error
  }
}
