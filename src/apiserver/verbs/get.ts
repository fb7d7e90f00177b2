import { notFound, unknown } from '../../api/errors.js'
import { quote } from '../../schema/quote.js'
import type { ObjectAnswer } from '../answer.js'
import type { KeptObject } from '../cache/kept-object.js'
import type { VerbScope } from './verb-scope.js'

export function get(scope: VerbScope): ObjectAnswer | Promise<ObjectAnswer> {
  const { query } = scope.exchange.request
  if (query.size > 0) checkVersion(query.get('resourceVersion') ?? '')
  const waiting = scope.store.current()
  return waiting ? waiting.then(() => answer(scope)) : answer(scope)
}

function answer(scope: VerbScope): ObjectAnswer {
  const { resource, representation } = scope
  return { is: 'object', code: 200, type: resource.type, object: resource.served(present(scope)), representation }
}

/** An object is given as it is now, which is at least as new as any version that was ever told; but it must be a version. */
function checkVersion(text: string): void {
  if (!/^[0-9]*$/.test(text))
    throw unknown(
      `resourceVersion: Invalid value: ${quote(text)}: strconv.ParseUint: parsing ${quote(text)}: invalid syntax`,
    )
}

/** The object that the path names, as everything acknowledged so far has left it. */
export async function find(scope: VerbScope): Promise<KeptObject> {
  await scope.store.current()
  return present(scope)
}

function present({ resource, namespace, name }: VerbScope): KeptObject {
  const kept = resource.objects.get(resource.key(namespace, name))
  if (!kept) throw notFound(resource.groupResource, name)
  return kept
}
