import { ApiError, hasReason } from '../../api/errors.js'
import type { ListResponse } from '../response/response.js'
import { deleteObject } from './delete-object.js'
import { deleteOptions } from './delete-options.js'
import { listEverything } from './list.js'
import type { VerbScope } from './verb-scope.js'

/** Deletions that run concurrently: they share flushes to disk. */
const concurrency = 32

/** Deletes all objects that match the selectors. The response contains them as they were. */
export async function deleteCollection(scope: VerbScope): Promise<ListResponse> {
  const options = await deleteOptions(scope)
  const response = await listEverything(scope)
  const names = response.items.map(({ object }) => object.metadata)
  for (let start = 0; start < names.length; start += concurrency) {
    const batch = names.slice(start, start + concurrency)
    await Promise.all(
      batch.map(async ({ name = '', namespace = '' }) => {
        try {
          await deleteObject({ ...scope, name, namespace }, options)
        } catch (error) {
          if (!(error instanceof ApiError) || !hasReason(error, 'NotFound')) throw error // another client has deleted it
        }
      }),
    )
  }
  return response
}
