import { notFound, unknown } from '../../api/errors.js'
import { quote } from '../../schema/quote.js'
import type { CachedObject } from '../cache/cached-object.js'
import type { ObjectResponse } from '../response/response.js'
import { waitForRevision } from './freshness.js'
import { wantsUninitialized } from './initialization.js'
import type { VerbScope } from './verb-scope.js'

export function get(scope: VerbScope): ObjectResponse | Promise<ObjectResponse> {
  const waiting = fresh(scope)
  return waiting ? waiting.then(() => response(scope)) : response(scope)
}

/** An object is given as it is now; who has heard of a later version waits for that a little. */
function fresh(scope: VerbScope): Promise<void> | undefined {
  const { query } = scope.context.request
  const asked = query.size === 0 ? '' : (query.get('resourceVersion') ?? '')
  if (asked === '' || asked === '0') return scope.store.waitUntilCurrent()
  checkVersion(asked)
  return waitForRevision(scope, Number(asked), asked)
}

function response(scope: VerbScope): ObjectResponse {
  const { resource, representation } = scope
  return { is: 'object', code: 200, type: resource.type, object: resource.served(present(scope)), representation }
}

function checkVersion(text: string): void {
  if (!/^[0-9]*$/.test(text))
    throw unknown(
      `resourceVersion: Invalid value: ${quote(text)}: strconv.ParseUint: parsing ${quote(text)}: invalid syntax`,
    )
}

/** The object that the path names, as everything acknowledged so far has left it. */
export async function find(scope: VerbScope): Promise<CachedObject> {
  await scope.store.waitUntilCurrent()
  return present(scope)
}

function present({ context, resource, namespace, name }: VerbScope): CachedObject {
  const { query } = context.request
  const objects = wantsUninitialized(query) ? resource.allObjects : resource.objects
  const cached = objects.get(resource.key(namespace, name))
  if (!cached) throw notFound(resource.groupResource, name)
  return cached
}
