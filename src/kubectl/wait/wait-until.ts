import type { Clock } from '../../base/clock.js'
import type { JsonObject } from '../../schema/declaration.js'
import type { Rest } from '../factory/rest.js'
import { metadataOf, objectPath, type ResourceObject, resourcePath } from '../resources/resource-object.js'
import { withDeadline } from './deletion.js'

interface WaitOptions {
  readonly clock: Clock
  /** In terms of `clock.monotonic()`. */
  readonly deadline: number
  /** Called with each state of the object, starting with the current one. */
  readonly isDone: (object: JsonObject) => boolean | Promise<boolean>
  /** The message of the timeout error. */
  readonly timeoutMessage?: string
}

/** The object was deleted during the wait. */
export class DeletedError extends Error {
  override readonly name = 'DeletedError'
}

type Where = Pick<ResourceObject, 'resource' | 'namespace' | 'name'>

/** Resolves with the object when `isDone` accepts it. Throws a `WaitTimeoutError` at the deadline. */
export async function waitUntil(rest: Rest, where: Where, waiting: WaitOptions): Promise<JsonObject> {
  const { resource, name } = where
  const { timeoutMessage: late = `timed out waiting for the condition on ${resource.plural}/${name}` } = waiting
  return withDeadline(waiting, late, async (signal) => {
    for (;;) {
      const object = await rest.json<JsonObject>({ path: objectPath(where), signal })
      if (await waiting.isDone(object)) return object
      const done = await firstDone(rest, where, { ...waiting, signal, revision: metadataOf(object).resourceVersion })
      if (done) return done
      signal.throwIfAborted()
    }
  })
}

/** Undefined if the server ends the watch first. */
async function firstDone(
  rest: Rest,
  { resource, namespace, name }: Where,
  { isDone, signal, revision }: WaitOptions & { readonly signal: AbortSignal; readonly revision: string | undefined },
): Promise<JsonObject | undefined> {
  const query = { fieldSelector: `metadata.name=${name}`, watch: true, resourceVersion: revision }
  for await (const { type, object } of rest.watch({ path: resourcePath(resource, namespace), query, signal })) {
    if (type === 'DELETED') throw new DeletedError(`${resource.plural} "${name}" was deleted`)
    if (type !== 'BOOKMARK' && (await isDone(object as JsonObject))) return object as JsonObject
  }
  return undefined
}
