import { ApiError, internalError, timeout } from '../../api/errors.js'
import { qualified } from '../../api/failure.js'
import type { KubeObject } from '../../api/kube-object.js'
import type { Status } from '../../api/meta/v1/status.js'
import { initializationFailure, isInitialized } from '../../api/metadata/initializers.js'
import type { Draft } from '../../schema/infer.js'
import type { CachedObject } from '../cache/cached-object.js'
import type { CollectionEvent } from '../cache/object-store.js'
import { isTrue } from '../request/request-info.js'
import { reportWaiting } from '../request/request-listeners.js'
import type { EncodedObject } from '../response/response.js'
import { removeObject } from './delete-object.js'
import type { VerbScope } from './verb-scope.js'
import { WatchLifetime } from './watch-lifetime.js'
import type { WriteRequestOptions } from './write-options.js'

/** Whether a client wants to see objects that are not yet complete. */
export function wantsUninitialized(query: URLSearchParams): boolean {
  return query.size > 0 && isTrue(query.get('includeUninitialized'))
}

/** Made, or accepted to be made by others. Where no object waits none is looked at: most are sent as the bytes that they are. */
export function createdCode({ resource }: VerbScope, made: EncodedObject): 201 | 202 {
  return resource.objects === resource.allObjects || isInitialized(made.object) ? 201 : 202
}

/** A part of an object cannot say that the whole is complete. */
export function keepInitializers(draft: Draft<KubeObject>, { metadata }: KubeObject): void {
  delete draft.metadata.initializers
  if (metadata.initializers) draft.metadata.initializers = metadata.initializers as never
}

/**
 * A new object as its creator gets it: once it is complete, unless he does not want to wait. Neither a seat nor a transaction is
 * held meanwhile: those who complete the object need both.
 */
export function waitForInitialization(
  scope: VerbScope,
  { object, stored }: { readonly object: KubeObject; readonly stored: EncodedObject },
  { dryRun }: WriteRequestOptions,
): EncodedObject | Promise<EncodedObject> {
  if (isInitialized(object) || dryRun) return stored
  if (initializationFailure(object)) return refused(scope, stored)
  if (wantsUninitialized(scope.context.request.query)) return stored
  return untilInitialized(scope, stored.object)
}

/** Who may may say on creation that it failed. */
async function refused(scope: VerbScope, { object }: EncodedObject): Promise<never> {
  const { namespace = '', name = '' } = object.metadata
  const cached = scope.resource.allObjects.get(scope.resource.key(namespace, name))
  if (cached) await removeFailed(scope, cached)
  throw failed(initializationFailure(object)!)
}

async function untilInitialized(scope: VerbScope, { metadata }: KubeObject): Promise<EncodedObject> {
  const { resource, context, closing } = scope
  const { namespace = '', name = '', resourceVersion } = metadata
  const lifetime = new WatchLifetime({ signals: [context.request.signal, closing] })
  context.whenLate = () => {
    lifetime.end()
    return tooLate(scope, name)
  }
  reportWaiting(context)
  const watch = { prefix: resource.key(namespace, name), revision: Number(resourceVersion), signal: lifetime.signal }
  try {
    for await (const batch of resource.allObjects.watch(watch))
      for (const event of batch) {
        const complete = await outcome(scope, event)
        if (complete) return told(scope, complete)
      }
    throw context.request.signal.aborted ? context.request.signal.reason : tooLate(scope, name)
  } finally {
    lifetime.end()
    context.whenLate = undefined
  }
}

function told({ context, resource }: VerbScope, complete: CachedObject): EncodedObject {
  context.decision = 'initialized'
  context.reason = `complete since revision ${complete.revision}`
  return resource.served(complete)
}

/** The object once it is complete; undefined as long as it is not. Throws where it never will be, once it is gone. */
async function outcome(scope: VerbScope, event: CollectionEvent): Promise<CachedObject | undefined> {
  if (event.type === 'progress') return undefined
  const failure = initializationFailure(event.object.object)
  if (failure && event.type === 'put') await removeFailed(scope, event.object)
  if (failure) throw failed(failure)
  if (event.type === 'delete') throw internalError('object deleted while waiting for creation')
  return isInitialized(event.object.object) ? event.object : undefined
}

/** What whoever refused the object had to say; without a code it is an error like any that is not understood. */
function failed(result: Status): ApiError {
  return new ApiError({ ...result, kind: 'Status', apiVersion: 'v1', code: result.code || 500 })
}

function tooLate({ resource }: VerbScope, name: string): ApiError {
  const subject = `${qualified(resource.groupResource)} ${name}`
  return timeout(`server has timed out waiting for the initialization of ${subject}`, 0)
}

/**
 * An object whose initialization failed goes at once, whatever its finalizers: it has never been there. That it failed is written
 * before, so that those who wait for it learn why; a server that ends in between leaves the rest to `removeAllFailed`.
 */
export async function removeFailed(scope: Pick<VerbScope, 'resource' | 'store'>, written: CachedObject): Promise<void> {
  const { resource, store } = scope
  let cached: CachedObject | undefined = written
  while (cached && initializationFailure(cached.object)) {
    if (await removeObject(scope, cached)) return
    await store.waitUntilCurrent()
    cached = resource.allObjects.get(written.key)
  }
}
