import { notFound, unknown } from '../../api/errors.js'
import { quote } from '../../schema/quote.js'
import type { CachedObject } from '../cache/cached-object.js'
import type { ObjectResponse } from '../response/response.js'
import { waitForRevision } from './freshness.js'
import { wantsUninitialized } from './initialization.js'
import type { VerbScope } from './verb-scope.js'

/** Returns the object that the path names. Returns no promise unless it must wait. */
export function get(scope: VerbScope): ObjectResponse | Promise<ObjectResponse> {
  const waiting = waitUntilFresh(scope)
  return waiting ? waiting.then(() => respond(scope)) : respond(scope)
}

/** Waits until the cache is as new as the client requires. Returns undefined if it is. */
function waitUntilFresh(scope: VerbScope): Promise<void> | undefined {
  const { query } = scope.context.request
  const requested = query.size === 0 ? '' : (query.get('resourceVersion') ?? '')
  if (requested === '' || requested === '0') return scope.store.waitUntilCurrent()
  checkVersion(requested)
  return waitForRevision(scope, Number(requested), requested)
}

function respond(scope: VerbScope): ObjectResponse {
  const { resource, representation } = scope
  return { is: 'object', code: 200, type: resource.type, object: resource.served(findCached(scope)), representation }
}

function checkVersion(text: string): void {
  if (!/^[0-9]*$/.test(text))
    throw unknown(
      `resourceVersion: Invalid value: ${quote(text)}: strconv.ParseUint: parsing ${quote(text)}: invalid syntax`,
    )
}

/** Returns the object that the path names, with every write that was acknowledged so far. */
export async function find(scope: VerbScope): Promise<CachedObject> {
  await scope.store.waitUntilCurrent()
  return findCached(scope)
}

function findCached({ context, resource, namespace, name }: VerbScope): CachedObject {
  const { query } = context.request
  const objects = wantsUninitialized(query) ? resource.allObjects : resource.objects
  const cached = objects.get(resource.key(namespace, name))
  if (!cached) throw notFound(resource.groupResource, name)
  return cached
}
