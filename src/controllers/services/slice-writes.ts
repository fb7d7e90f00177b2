import { EndpointSlice } from '../../api/discovery/v1/endpoint-slice.js'
import type { Client } from '../../client/client.js'
import type { Given } from '../../client/resource-client.js'
import { isNamespaceTerminating } from '../pods/pod-writes.js'
import { messageOf, unlessNotFound } from '../runtime/failures.js'
import type { SliceChanges, SliceDraft } from './endpoint-slices.js'

/** Says which write failed; `cause` is the original error. */
export class SliceError extends Error {
  override readonly name = 'SliceError'

  constructor(what: string, cause: unknown) {
    super(`failed to ${what}: ${messageOf(cause)}`, { cause })
  }
}

export interface SliceWriteOptions {
  readonly client: Client
  readonly namespace: string
  /** For error messages: `Service default/web`. */
  readonly owner: string
  /** False for an owner that is being deleted, because the garbage collector would delete the slices again. */
  readonly mayCreate: boolean
}

/** Writes one slice after the other and stops at the first failure. A namespace that terminates is not a failure. */
export async function writeSlices(
  { create, update, remove }: SliceChanges,
  { client, namespace, owner, mayCreate }: SliceWriteOptions,
): Promise<void> {
  const slices = client.resource(EndpointSlice).in(namespace)
  try {
    for (const slice of mayCreate ? create : [])
      await naming(() => `create EndpointSlice for ${owner}`, slices.create(encoded(slice)))
  } catch (error) {
    if (error instanceof SliceError && isNamespaceTerminating(error.cause)) return
    throw error
  }
  for (const slice of update)
    await naming(() => `update ${slice.metadata.name} EndpointSlice for ${owner}`, slices.update(encoded(slice)))
  for (const { metadata } of remove)
    await naming(
      () => `delete ${metadata.name} EndpointSlice for ${owner}`,
      unlessNotFound(slices.delete(metadata.name!)),
    )
}

/** Leaves out empty lists, as the API server does. */
function encoded({ endpoints, ports, ...slice }: SliceDraft): Given<EndpointSlice> {
  return { ...slice, ...(endpoints.length > 0 && { endpoints }), ...(ports.length > 0 && { ports }) }
}

async function naming<T>(what: () => string, request: Promise<T>): Promise<T> {
  try {
    return await request
  } catch (error) {
    throw new SliceError(what(), error)
  }
}

/** Updates a slice that would be removed in place of creating another one. The address type of a slice never changes. */
export function reuseRemoved(changes: SliceChanges, mayReuse: (slice: EndpointSlice) => boolean): SliceChanges {
  const create = [...changes.create]
  const update: SliceDraft[] = [...changes.update]
  const remove = changes.remove.filter((old) => {
    const next = create.findLastIndex(({ addressType }) => addressType === old.addressType)
    if (next < 0 || !mayReuse(old)) return true
    const [slice] = create.splice(next, 1)
    update.push({ ...slice!, metadata: { ...slice!.metadata, name: old.metadata.name! } })
    return false
  })
  return { create, update, remove }
}
