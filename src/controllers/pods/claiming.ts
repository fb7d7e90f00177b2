import { hasReason } from '../../api/errors.js'
import type { Client } from '../../client/client.js'
import type { AnyObject } from '../../client/resource-client.js'
import type { Schema } from '../../schema/declaration.js'
import type { Instance } from '../../schema/infer.js'
import { controllerOf, controllerReference } from '../runtime/owners.js'
import { settleAll } from './slow-start.js'
import type { Owner } from './template.js'

export interface Claim<S extends Schema, O extends Schema> {
  /** Of what is claimed. */
  readonly kind: S
  readonly owner: Owner
  readonly ownerKind: O
  readonly matches: (object: Instance<S> & AnyObject) => boolean
  readonly client: Client
  /** Given to what is adopted, and taken from what is released. */
  readonly finalizers?: readonly string[]
}

/**
 * Which of the objects belong to the owner. Orphans that match are adopted, and what the owner controls though it no longer matches is
 * released; somebody else's objects are let be. Of two owners that want the same orphan one wins: the server refuses a second controller.
 */
export async function claim<S extends Schema, O extends Schema>(
  objects: Iterable<Instance<S> & AnyObject>,
  claiming: Claim<S, O>,
): Promise<readonly (Instance<S> & AnyObject)[]> {
  const { owner, matches } = claiming
  const claimed: (Instance<S> & AnyObject)[] = []
  const works: Promise<(Instance<S> & AnyObject) | undefined>[] = []
  const isGoing = owner.metadata.deletionTimestamp !== undefined
  const mayAdopt = once(() => checkAlive(claiming))
  for (const object of objects) {
    const controller = controllerOf(object)
    if (controller && controller.uid !== owner.metadata.uid) continue
    if (controller && matches(object)) claimed.push(object)
    else if (controller && !isGoing) works.push(release(object, claiming))
    else if (!controller && !isGoing && isAdoptable(object, claiming)) works.push(adopt(object, claiming, mayAdopt))
  }
  if (works.length === 0) return claimed
  return [...claimed, ...(await settleAll(works)).filter((object) => object !== undefined)]
}

function isAdoptable<S extends Schema>(object: Instance<S> & AnyObject, { owner, matches }: Claim<S, Schema>): boolean {
  const { deletionTimestamp, namespace } = object.metadata
  return deletionTimestamp === undefined && namespace === owner.metadata.namespace && matches(object)
}

/** Gives the object as it is now, or undefined if it has gone meanwhile. */
async function adopt<S extends Schema>(
  object: Instance<S> & AnyObject,
  { client, kind, owner, finalizers }: Claim<S, Schema>,
  mayAdopt: () => Promise<void>,
): Promise<(Instance<S> & AnyObject) | undefined> {
  const { name, namespace, uid } = object.metadata
  await mayAdopt().catch((error) => {
    const what = `${client.resource(kind).place.kind} ${namespace}/${name} (${uid})`
    throw new Error(`can't adopt ${what}: ${error instanceof Error ? error.message : error}`, { cause: error })
  })
  // The uid makes sure that nothing else of that name is meant.
  const metadata = { uid, ownerReferences: [controllerReference(owner)], ...(finalizers && { finalizers }) }
  return unlessGone(client.resource(kind).in(namespace!).patch(name!, 'strategic', { metadata }))
}

async function release<S extends Schema>(
  object: Instance<S> & AnyObject,
  { client, kind, owner, finalizers }: Claim<S, Schema>,
): Promise<undefined> {
  const { name, namespace, uid } = object.metadata
  const ownerReferences = [{ $patch: 'delete', uid: owner.metadata.uid }]
  const metadata = { uid, ownerReferences, ...(finalizers && { '$deleteFromPrimitiveList/finalizers': finalizers }) }
  try {
    await client.resource(kind).in(namespace!).patch(name!, 'strategic', { metadata })
  } catch (error) {
    // Invalid: it has no such owner any more, or another object has that name now.
    if (!hasReason(error, 'NotFound') && !hasReason(error, 'Invalid')) throw error
  }
  return undefined
}

async function unlessGone<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (hasReason(error, 'NotFound')) return undefined
    throw error
  }
}

/**
 * Asks the server itself, because the informer may be behind: an owner that is going has no right to adopt any more, or the objects
 * would go with it right after the garbage collector let them be.
 */
async function checkAlive<O extends Schema>({ client, owner, ownerKind }: Claim<Schema, O>): Promise<void> {
  const { name, namespace, uid } = owner.metadata
  const { metadata } = await client.resource(ownerKind).in(namespace!).get(name!)
  if (metadata.uid !== uid)
    throw new Error(`original ${owner.kind} ${namespace}/${name} is gone: got uid ${metadata.uid}, wanted ${uid}`)
  if (metadata.deletionTimestamp)
    throw new Error(`${namespace}/${name} has just been deleted at ${metadata.deletionTimestamp}`)
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let begun: Promise<T> | undefined
  return () => {
    begun ??= work()
    return begun
  }
}
