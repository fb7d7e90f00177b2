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

/** Whether a client requests objects that are not initialized yet. */
export function wantsUninitialized(query: URLSearchParams): boolean {
  return query.size > 0 && isTrue(query.get('includeUninitialized'))
}

/** 201, or 202 if the object is not initialized yet. Without initializers it does not parse the object, which is sent as bytes. */
export function createdCode({ resource }: VerbScope, created: EncodedObject): 201 | 202 {
  return resource.objects === resource.allObjects || isInitialized(created.object) ? 201 : 202
}

/** Restores the initializers: a write through a subresource cannot change them. */
export function keepInitializers(draft: Draft<KubeObject>, { metadata }: KubeObject): void {
  delete draft.metadata.initializers
  if (metadata.initializers) draft.metadata.initializers = metadata.initializers as never
}

/**
 * Returns a new object when it is initialized, or at once if the client does not want to wait. Holds neither a flow-control seat nor a
 * transaction meanwhile: the initializers need both.
 */
export function waitForInitialization(
  scope: VerbScope,
  { object, stored }: { readonly object: KubeObject; readonly stored: EncodedObject },
  { dryRun }: WriteRequestOptions,
): EncodedObject | Promise<EncodedObject> {
  if (isInitialized(object) || dryRun) return stored
  if (initializationFailure(object)) return rejectFailed(scope, stored)
  if (wantsUninitialized(scope.context.request.query)) return stored
  return untilInitialized(scope, stored.object)
}

/** Removes an object that was created as failed, and rejects the request. */
async function rejectFailed(scope: VerbScope, { object }: EncodedObject): Promise<never> {
  const { namespace = '', name = '' } = object.metadata
  const cached = scope.resource.allObjects.get(scope.resource.key(namespace, name))
  if (cached) await removeFailed(scope, cached)
  throw initializationError(initializationFailure(object)!)
}

async function untilInitialized(scope: VerbScope, { metadata }: KubeObject): Promise<EncodedObject> {
  const { resource, context, closing } = scope
  const { namespace = '', name = '', resourceVersion } = metadata
  const lifetime = new WatchLifetime({ signals: [context.request.signal, closing] })
  context.whenLate = () => {
    lifetime.end()
    return waitTimeout(scope, name)
  }
  reportWaiting(context)
  const watch = { prefix: resource.key(namespace, name), revision: Number(resourceVersion), signal: lifetime.signal }
  try {
    for await (const batch of resource.allObjects.watch(watch))
      for (const event of batch) {
        const complete = await initializedObject(scope, event)
        if (complete) return toResponse(scope, complete)
      }
    throw context.request.signal.aborted ? context.request.signal.reason : waitTimeout(scope, name)
  } finally {
    lifetime.end()
    context.whenLate = undefined
  }
}

function toResponse({ context, resource }: VerbScope, complete: CachedObject): EncodedObject {
  context.decision = 'initialized'
  context.reason = `complete since revision ${complete.revision}`
  return resource.served(complete)
}

/** Returns the object of an event if it is initialized, otherwise undefined. Throws if the initialization failed. */
async function initializedObject(scope: VerbScope, event: CollectionEvent): Promise<CachedObject | undefined> {
  if (event.type === 'progress') return undefined
  const failure = initializationFailure(event.object.object)
  if (failure && event.type === 'put') await removeFailed(scope, event.object)
  if (failure) throw initializationError(failure)
  if (event.type === 'delete') throw internalError('object deleted while waiting for creation')
  return isInitialized(event.object.object) ? event.object : undefined
}

/** The error that an initializer reported; without a code it is an internal error. */
function initializationError(result: Status): ApiError {
  return new ApiError({ ...result, kind: 'Status', apiVersion: 'v1', code: result.code || 500 })
}

function waitTimeout({ resource }: VerbScope, name: string): ApiError {
  const subject = `${qualified(resource.groupResource)} ${name}`
  return timeout(`server has timed out waiting for the initialization of ${subject}`, 0)
}

/**
 * Removes an object whose initialization failed at once, whatever its finalizers: no client has seen it. The failure is written before, so
 * that waiting requests learn the reason; if the server stops in between, `removeAllFailed` removes the object.
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
