import { hasReason } from '../../api/errors.js'
import { foregroundFinalizer, orphanFinalizer } from '../../api/metadata/finalizers.js'
import type { Client } from '../../client/client.js'
import { forEachConcurrently } from '../runtime/concurrency.js'
import type { ActResult, ReconcileContext, ReconcileResult } from '../runtime/reconcile.js'
import type { CollectorDecision, CollectorObservation, ObservedOwner, OwnedObservation } from './decide.js'
import { changeMetadata, deleteGarbage, patchMetadata, readMetadata } from './objects.js'
import type { ObjectObserver } from './observe.js'
import { areSameOwners, type ObservedObject, ownersOf } from './references.js'

/** How many dependents are orphaned at the same time. */
const concurrentReleases = 32
/** How often an object may change while it is observed. */
const maxAttempts = 5

type CollectorResult = ActResult<CollectorObservation> | undefined

export interface ActorDependencies {
  readonly observer: ObjectObserver
  /** Called for an owner that does not exist. */
  readonly forget: (uid: string) => void
}

export function actorOf({ observer, forget }: ActorDependencies) {
  return async (
    decision: CollectorDecision,
    observation: CollectorObservation,
    context: ReconcileContext,
  ): Promise<CollectorResult> => {
    if (observation.is === 'owned') {
      const { error, ...result } = await tryChangeOwned(decision, observation, context.client)
      if (error === undefined) return result
      const fresh = await observeAgain(observation, observer, context)
      return fresh && { observation: fresh }
    }
    if (observation.is !== 'unseen owner') return changeDeleted(decision, observation.object, context.client)
    if (decision.do !== 'enqueue dependents') return undefined
    const { uids, isAbsent, requeueAfter } = decision
    for (const uid of uids) context.enqueue(uid)
    if (isAbsent) forget(observation.uid)
    return requeueIn(requeueAfter)
  }
}

function requeueIn(requeueAfter: number | undefined): ReconcileResult | undefined {
  return requeueAfter === undefined ? undefined : { requeueAfter }
}

/** Returns a conflict after which the object may be observed again, and throws other errors. */
async function tryChangeOwned(
  decision: CollectorDecision,
  observation: OwnedObservation,
  client: Client,
): Promise<ReconcileResult & { readonly error?: unknown }> {
  try {
    return (await changeOwned(decision, observation, client)) ?? {}
  } catch (error) {
    if (observation.attempt === maxAttempts || !hasReason(error, 'Conflict')) throw error
    return { error }
  }
}

/** Reads the object from the server after a conflict. Undefined if it is gone or being deleted. */
async function observeAgain(
  { object, attempt }: OwnedObservation,
  observer: ObjectObserver,
  context: ReconcileContext,
): Promise<CollectorObservation | undefined> {
  const metadata = await readMetadata(context.client, object.location, object.metadata)
  if (metadata?.uid !== object.metadata.uid || metadata?.deletionTimestamp !== undefined) return undefined
  // Changes that do not concern owners must not delay the deletion for ever.
  const isExact = !areSameOwners(ownersOf(object.metadata), ownersOf(metadata))
  return observer.observeOwned({ ...object, metadata: metadata! }, { isExact, attempt: attempt + 1 }, context)
}

async function changeOwned(
  decision: CollectorDecision,
  { object, owners, isExact }: OwnedObservation,
  client: Client,
): Promise<ReconcileResult | undefined> {
  if (decision.do === 'release') {
    const { from } = decision
    const others = owners.filter((owner) => !from.includes(owner)).map(({ reference }) => reference)
    await patchMetadata(client, object, { ownerReferences: others })
    return traced(object, `released from ${named(from)}`, `${named(owners)} owned it, and some are left`)
  }
  if (decision.do !== 'delete') return undefined
  await deleteGarbage(client, object, { policy: decision.policy, isExact })
  return traced(object, `deleted (${decision.policy})`, `none of its owners is left: ${named(owners)}`)
}

/** An object that was deleted in the foreground, or without its dependents. */
async function changeDeleted(
  decision: CollectorDecision,
  object: ObservedObject,
  client: Client,
): Promise<ReconcileResult | undefined> {
  switch (decision.do) {
    case 'orphan dependents': {
      const { dependents } = decision
      await forEachConcurrently(dependents, concurrentReleases, (each) =>
        removeOwner(each, object.metadata.uid!, client),
      )
      await removeFinalizer(object, orphanFinalizer, client)
      return traced(object, `released ${dependents.length}`, 'it was deleted without its dependents')
    }
    case 'remove foreground finalizer':
      await removeFinalizer(object, foregroundFinalizer, client)
      return traced(object, 'let go', 'it was deleted after its dependents, and none is left')
    case 'unblock owners': {
      await unblockOwners(object, client)
      const reason = 'it is among its own owners, and all of them wait for one another'
      return traced(object, 'blocks its owners no longer', reason)
    }
    default:
      return undefined
  }
}

async function removeOwner(dependent: ObservedObject, owner: string, client: Client): Promise<void> {
  await changeMetadata(client, dependent, ({ ownerReferences = [] }) => {
    const others = ownerReferences.filter(({ uid }) => uid !== owner)
    return others.length === ownerReferences.length ? undefined : { ownerReferences: nullIfEmpty(others) }
  })
}

async function unblockOwners(object: ObservedObject, client: Client): Promise<void> {
  await changeMetadata(client, object, ({ ownerReferences = [] }) =>
    ownerReferences.some(({ blockOwnerDeletion }) => blockOwnerDeletion)
      ? { ownerReferences: ownerReferences.map((each) => ({ ...each, blockOwnerDeletion: false })) }
      : undefined,
  )
}

async function removeFinalizer(object: ObservedObject, finalizer: string, client: Client): Promise<void> {
  await changeMetadata(client, object, ({ finalizers = [] }) =>
    finalizers.includes(finalizer)
      ? { finalizers: nullIfEmpty(finalizers.filter((each) => each !== finalizer)) }
      : undefined,
  )
}

/** In a merge patch, null removes a member. */
function nullIfEmpty<T>(list: readonly T[]): readonly T[] | null {
  return list.length === 0 ? null : list
}

function named(owners: readonly ObservedOwner[]): string {
  return owners.map(({ reference: { kind, name }, state }) => `${kind} ${name} (${state})`).join(', ')
}

function traced({ location, metadata }: ObservedObject, decision: string, reason: string): ReconcileResult {
  const { name = '', namespace, uid = '' } = metadata
  return { trace: { subject: { kind: location.kind, name, uid, ...(namespace && { namespace }) }, decision, reason } }
}
