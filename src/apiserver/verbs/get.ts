import { notFound } from '../../api/errors.js'
import type { ObjectAnswer } from '../answer.js'
import type { KeptObject } from '../cache/kept-object.js'
import type { VerbScope } from './verb-scope.js'

export async function get(scope: VerbScope): Promise<ObjectAnswer> {
  const { resource, representation } = scope
  const object = resource.served(await find(scope))
  return { is: 'object', code: 200, type: resource.type, object, representation }
}

/** The object that the path names, as everything acknowledged so far has left it. */
export async function find({ resource, namespace, name, store }: VerbScope): Promise<KeptObject> {
  const waiting = store.current()
  if (waiting) await waiting
  const kept = resource.objects.get(resource.key(namespace, name))
  if (!kept) throw notFound(resource.groupResource, name)
  return kept
}
