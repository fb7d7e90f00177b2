import { EndpointSlice } from '../../api/discovery/v1/endpoint-slice.js'
import { hasReason } from '../../api/errors.js'
import type { Client } from '../../client/client.js'
import type { Given } from '../../client/resource-client.js'
import { isNamespaceTerminating } from '../pods/creating.js'
import type { SliceChanges, SliceDraft } from './endpoint-slices.js'

/** What could not be written, and why. */
export class SliceError extends Error {
  override readonly name = 'SliceError'

  constructor(what: string, cause: unknown) {
    super(`failed to ${what}: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

export interface SliceWriting {
  readonly client: Client
  readonly namespace: string
  /** `Service default/web`, for whoever reads of a failure. */
  readonly owner: string
  /** Nothing is made for an owner that goes, or the garbage collector would race with this. */
  readonly mayCreate: boolean
}

/** Writes one after the other and stops at the first failure. In a namespace that goes, nothing is made and nobody misses it. */
export async function writeSlices(
  { create, update, remove }: SliceChanges,
  { client, namespace, owner, mayCreate }: SliceWriting,
): Promise<void> {
  const slices = client.resource(EndpointSlice).in(namespace)
  try {
    for (const slice of mayCreate ? create : [])
      await said(slices.create(sent(slice)), () => `create EndpointSlice for ${owner}`)
  } catch (error) {
    if (error instanceof SliceError && isNamespaceTerminating(error.cause)) return
    throw error
  }
  for (const slice of update)
    await said(slices.update(sent(slice)), () => `update ${slice.metadata.name} EndpointSlice for ${owner}`)
  for (const { metadata } of remove)
    await said(unlessGone(slices.delete(metadata.name!)), () => `delete ${metadata.name} EndpointSlice for ${owner}`)
}

/** An empty list is none at all: that is how it is read back. */
function sent({ endpoints, ports, ...slice }: SliceDraft): Given<EndpointSlice> {
  return { ...slice, ...(endpoints.length > 0 && { endpoints }), ...(ports.length > 0 && { ports }) }
}

async function said<T>(work: Promise<T>, what: () => string): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw new SliceError(what(), error)
  }
}

async function unlessGone(work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error
  }
}

/** Instead of making one slice and removing another, the other is given the content of the one. Its kind of addresses never changes. */
export function recycled(changes: SliceChanges, mayReuse: (slice: EndpointSlice) => boolean): SliceChanges {
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
