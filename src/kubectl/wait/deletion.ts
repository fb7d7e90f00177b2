import type { Clock } from '../../base/clock.js'
import type { JsonObject } from '../../schema/declaration.js'
import type { Factory } from '../factory/factory.js'
import { isNotFound, type Rest } from '../factory/rest.js'
import { metadataOf, objectPath, type ResourceObject, resourcePath } from '../resources/resource-object.js'

/** The wait without a timeout: a week, as upstream. */
export const noTimeout = 168 * 3_600_000

export class WaitTimeoutError extends Error {
  override readonly name = 'WaitTimeoutError'
}

interface DeletionWaitOptions {
  readonly clock: Clock
  /** In terms of `clock.monotonic()`. */
  readonly deadline: number
  /** An object with the same name and another UID is a new object. */
  readonly uid?: string | undefined
}

/** Resolves when the object is gone. Throws a `WaitTimeoutError` at the deadline. */
export async function waitUntilDeleted(
  rest: Rest,
  info: Pick<ResourceObject, 'resource' | 'namespace' | 'name'>,
  gone: DeletionWaitOptions,
): Promise<void> {
  const { resource, namespace, name } = info
  for (;;) {
    const object = await present(rest, info, gone.uid)
    if (!object) return
    const query = {
      fieldSelector: `metadata.name=${name}`,
      watch: true,
      resourceVersion: metadataOf(object).resourceVersion,
    }
    await withDeadline(gone, late(info), async (signal) => {
      for await (const { type } of rest.watch({ path: resourcePath(resource, namespace), query, signal }))
        if (type === 'DELETED') return
    })
  }
}

function late({ resource, name }: Pick<ResourceObject, 'resource' | 'name'>): string {
  return `timed out waiting for the condition on ${resource.plural}/${name}`
}

async function present(
  rest: Rest,
  info: Pick<ResourceObject, 'resource' | 'namespace' | 'name'>,
  uid: string | undefined,
): Promise<JsonObject | undefined> {
  try {
    const object = await rest.json<JsonObject>({ path: objectPath(info) })
    return uid === undefined || metadataOf(object).uid === uid ? object : undefined
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

/** Runs a function with a signal that is aborted at the deadline. */
export async function withDeadline<T>(
  { clock, deadline }: Pick<DeletionWaitOptions, 'clock' | 'deadline'>,
  message: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const timer = clock.timer(Math.max(deadline - clock.monotonic(), 0), () => controller.abort())
  try {
    const result = await work(controller.signal)
    if (controller.signal.aborted) throw new WaitTimeoutError(message)
    return result
  } catch (error) {
    if (controller.signal.aborted) throw new WaitTimeoutError(message, { cause: error })
    throw error
  } finally {
    timer.cancel()
    controller.abort()
  }
}

/** Deletes an object and waits until it is gone. */
export async function deleteAndWait(
  factory: Factory,
  info: ResourceObject,
  { grace }: { readonly grace: number },
): Promise<void> {
  const rest = await factory.rest()
  const { clock } = factory.environment
  const options = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background' }
  const body = grace >= 0 ? { ...options, gracePeriodSeconds: grace } : options
  await rest.json({ method: 'DELETE', path: objectPath(info), body }).catch((error: unknown) => {
    if (!isNotFound(error)) throw error
  })
  await waitUntilDeleted(rest, info, { clock, deadline: clock.monotonic() + noTimeout })
}
