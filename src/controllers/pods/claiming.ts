import type { Pod } from '../../api/core/v1/pod.js'
import { hasReason } from '../../api/errors.js'
import type { LabelSelector } from '../../api/selectors/label-selector.js'
import type { Client } from '../../client/client.js'
import { keyOf } from '../../client/informers/informer.js'
import type { AnyObject } from '../../client/resource-client.js'
import type { Schema } from '../../schema/declaration.js'
import type { Instance } from '../../schema/infer.js'
import { sameJson } from '../../schema/json-value.js'
import { settleAll } from '../runtime/concurrency.js'
import { messageOf, unlessNotFound } from '../runtime/failures.js'
import { controllerOf, controllerReference, type OwnerObject } from '../runtime/owners.js'
import type { KeyMapper } from '../runtime/reconcile.js'

type ObjectOf<S extends Schema> = Instance<S> & AnyObject

export interface ClaimOptions<S extends Schema, O extends Schema> {
  /** The kind of the claimed objects. */
  readonly kind: S
  readonly owner: OwnerObject
  readonly ownerKind: O
  readonly matches: (object: ObjectOf<S>) => boolean
  readonly client: Client
  /** Added to objects that are adopted, and removed from objects that are released. */
  readonly finalizers?: readonly string[]
}

/**
 * Returns the objects that belong to the owner. Adopts orphans that match, and releases objects that the owner controls although they no
 * longer match; objects of other controllers are left alone. If two owners want the same orphan, the server rejects the second one.
 */
export async function claim<S extends Schema, O extends Schema>(
  objects: Iterable<ObjectOf<S>>,
  options: ClaimOptions<S, O>,
): Promise<readonly ObjectOf<S>[]> {
  const { owned, changes } = decideClaims(objects, options)
  if (changes.length === 0) return owned
  const mayAdopt = once(() => checkOwnerExists(options))
  const writes = changes.map(({ do: action, object }) =>
    action === 'adopt' ? adopt(object, options, mayAdopt) : release(object, options),
  )
  return [...owned, ...(await settleAll(writes)).filter((object) => object !== undefined)]
}

interface Claims<T> {
  readonly owned: readonly T[]
  readonly changes: readonly { readonly do: 'adopt' | 'release'; readonly object: T }[]
}

/** An owner that is being deleted adopts and releases nothing. */
function decideClaims<S extends Schema>(
  objects: Iterable<ObjectOf<S>>,
  { owner, matches }: Pick<ClaimOptions<S, Schema>, 'owner' | 'matches'>,
): Claims<ObjectOf<S>> {
  const owned: ObjectOf<S>[] = []
  const changes: { do: 'adopt' | 'release'; object: ObjectOf<S> }[] = []
  const { uid, namespace, deletionTimestamp: ownerDeleted } = owner.metadata
  for (const object of objects) {
    const controller = controllerOf(object)
    if (controller && controller.uid !== uid) continue
    const isOrphan = !controller && object.metadata.deletionTimestamp === undefined
    if (controller && matches(object)) owned.push(object)
    else if (ownerDeleted !== undefined) continue
    else if (controller) changes.push({ do: 'release', object })
    else if (isOrphan && object.metadata.namespace === namespace && matches(object))
      changes.push({ do: 'adopt', object })
  }
  return { owned, changes }
}

/** Returns the object as it is then, or undefined if it is gone. */
async function adopt<S extends Schema>(
  object: ObjectOf<S>,
  { client, kind, owner, finalizers }: ClaimOptions<S, Schema>,
  mayAdopt: () => Promise<void>,
): Promise<ObjectOf<S> | undefined> {
  const { name, namespace, uid } = object.metadata
  await mayAdopt().catch((error) => {
    const what = `${client.resource(kind).location.kind} ${namespace}/${name} (${uid})`
    throw new Error(`can't adopt ${what}: ${messageOf(error)}`, { cause: error })
  })
  // With the uid, the server rejects the patch if another object has the name now.
  const metadata = { uid, ownerReferences: [controllerReference(owner)], ...(finalizers && { finalizers }) }
  return unlessNotFound(client.resource(kind).in(namespace!).patch(name!, 'strategic', { metadata }))
}

async function release<S extends Schema>(
  object: ObjectOf<S>,
  { client, kind, owner, finalizers }: ClaimOptions<S, Schema>,
): Promise<undefined> {
  const { name, namespace, uid } = object.metadata
  const ownerReferences = [{ $patch: 'delete', uid: owner.metadata.uid }]
  const metadata = { uid, ownerReferences, ...(finalizers && { '$deleteFromPrimitiveList/finalizers': finalizers }) }
  try {
    await client.resource(kind).in(namespace!).patch(name!, 'strategic', { metadata })
  } catch (error) {
    // Invalid: the object no longer has this owner, or another object has the name now.
    if (!hasReason(error, 'NotFound') && !hasReason(error, 'Invalid')) throw error
  }
  return undefined
}

/**
 * Asks the server, because the informer may be behind: an owner that is being deleted must not adopt, or the objects would be deleted with
 * it right after the garbage collector has orphaned them.
 */
async function checkOwnerExists<O extends Schema>({
  client,
  owner,
  ownerKind,
}: ClaimOptions<Schema, O>): Promise<void> {
  const { name, namespace, uid } = owner.metadata
  const { metadata } = await client.resource(ownerKind).in(namespace!).get(name!)
  if (metadata.uid !== uid)
    throw new Error(`original ${owner.kind} ${namespace}/${name} is gone: got uid ${metadata.uid}, wanted ${uid}`)
  if (metadata.deletionTimestamp)
    throw new Error(`${namespace}/${name} has just been deleted at ${metadata.deletionTimestamp}`)
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let started: Promise<T> | undefined
  return () => {
    started ??= work()
    return started
  }
}

/** Maps an orphan to all owners whose selector selects it, when it appears, is released or gets other labels. */
export function possibleOwners<S extends Schema, T extends AnyObject = Pod>(
  kind: S,
  selectorOf: (owner: ObjectOf<S>) => LabelSelector,
): KeyMapper<T> {
  return function* ({ type, object, old }, informers) {
    if (type === 'deleted' || controllerOf(object)) return
    if (old && !controllerOf(old) && sameJson(object.metadata.labels, old.metadata.labels)) return
    const labels = object.metadata.labels ?? {}
    for (const owner of informers.of(kind).by('namespace', object.metadata.namespace!))
      if (selectorOf(owner).matches(labels)) yield keyOf(owner)
  }
}
