import { notFound, unknown } from '../../api/errors.js'
import { quote } from '../../schema/quote.js'
import type { ObjectAnswer } from '../answer.js'
import type { KeptObject } from '../cache/kept-object.js'
import type { VerbScope } from './verb-scope.js'

export async function get(scope: VerbScope): Promise<ObjectAnswer> {
  const { resource, representation, exchange } = scope
  checkVersion(exchange.request.query.get('resourceVersion') ?? '')
  const object = resource.served(await find(scope))
  return { is: 'object', code: 200, type: resource.type, object, representation }
}

/** An object is given as it is now, which is at least as new as any version that was ever told; but it must be a version. */
function checkVersion(text: string): void {
  if (!/^[0-9]*$/.test(text))
    throw unknown(
      `resourceVersion: Invalid value: ${quote(text)}: strconv.ParseUint: parsing ${quote(text)}: invalid syntax`,
    )
}

/** The object that the path names, as everything acknowledged so far has left it. */
export async function find({ resource, namespace, name, store }: VerbScope): Promise<KeptObject> {
  const waiting = store.current()
  if (waiting) await waiting
  const kept = resource.objects.get(resource.key(namespace, name))
  if (!kept) throw notFound(resource.groupResource, name)
  return kept
}
