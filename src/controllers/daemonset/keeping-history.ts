import { ControllerRevision } from '../../api/apps/v1/controller-revision.js'
import { DaemonSet } from '../../api/apps/v1/daemon-set.js'
import { Pod } from '../../api/core/v1/pod.js'
import { hasReason } from '../../api/errors.js'
import { claim } from '../pods/claiming.js'
import { OwnedObjects } from '../pods/owned-objects.js'
import { compiledSelector } from '../pods/selectors.js'
import { settleAll } from '../runtime/concurrency.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import { revisionHashLabel } from './daemon-pod.js'
import { type History, hashOf, historyOf, isOf, newRevision, surplus } from './history.js'

export interface Kept {
  readonly hash: string
  readonly old: readonly ControllerRevision[]
}

/** Sees to it that there is one revision of what the set describes now, and that it is the latest. */
export async function keepHistory(set: DaemonSet, pods: readonly Pod[], context: ReconcileContext): Promise<Kept> {
  const claimed = await claimRevisions(set, context)
  const revisions = await settleAll(claimed.map((revision) => labelled(revision, context)))
  const history = historyOf(set, revisions)
  const { old, number } = history
  const current = history.current[0]
  if (!current) return { hash: hashOf(await createRevision(set, number, context)), old }
  if (history.current.length > 1) await uniteRevisions(history, pods, context)
  if (current.revision < number)
    await context.client.resource(ControllerRevision).update({ ...current, revision: number })
  return { hash: hashOf(current), old }
}

/** Removes what is more than the set wants kept. */
export async function forgetOld(
  set: DaemonSet,
  old: Kept['old'],
  pods: readonly Pod[],
  context: ReconcileContext,
): Promise<void> {
  const live = new Set(pods.map(({ metadata }) => metadata.labels?.[revisionHashLabel] ?? ''))
  await settleAll(surplus(set, old, live).map((revision) => deleteRevision(revision, context)))
}

function claimRevisions(
  set: DaemonSet,
  { client, informers }: ReconcileContext,
): Promise<readonly ControllerRevision[]> {
  const selector = compiledSelector(set.spec.selector)
  return claim(new OwnedObjects(informers, ControllerRevision).claimable(set), {
    kind: ControllerRevision,
    owner: set,
    ownerKind: DaemonSet,
    matches: ({ metadata }) => selector.matches(metadata.labels ?? {}),
    client,
  })
}

/** Revisions of old have no hash; their name tells them apart as well. */
async function labelled(revision: ControllerRevision, { client }: ReconcileContext): Promise<ControllerRevision> {
  if (hashOf(revision) !== '') return revision
  const { metadata } = revision
  const labels = { ...metadata.labels, [revisionHashLabel]: metadata.name! }
  return client.resource(ControllerRevision).update({ ...revision, metadata: { ...metadata, labels } })
}

async function createRevision(
  set: DaemonSet,
  number: number,
  { client }: ReconcileContext,
): Promise<ControllerRevision> {
  const revision = newRevision(set, number)
  const revisions = client.resource(ControllerRevision).in(set.metadata.namespace!)
  try {
    return await revisions.create(revision)
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error
    const there = await revisions.get(revision.metadata.name!)
    if (isOf(set, there)) return there
    await countCollision(set, client)
    throw error // and with the next attempt the name is another one
  }
}

async function countCollision(set: DaemonSet, client: ReconcileContext['client']): Promise<void> {
  const { namespace, name } = set.metadata
  const sets = client.resource(DaemonSet).in(namespace!)
  const fresh = await sets.get(name!)
  const [known, actual] = [set.status.collisionCount, fresh.status.collisionCount]
  if (known !== actual)
    throw new Error(
      `found a stale collision count (${known}, expected ${actual}) of DaemonSet "${name}" while processing`,
    )
  const status = { ...fresh.status, collisionCount: (actual ?? 0) + 1 }
  await sets.subresource('status').update({ ...fresh, status })
}

/** Pods of the superfluous revisions become pods of the one that stays, before these go. */
async function uniteRevisions(
  { current: [kept, ...others] }: History,
  pods: readonly Pod[],
  context: ReconcileContext,
): Promise<void> {
  const hash = hashOf(kept!)
  const doubled = new Set(others.map(hashOf))
  const relabel = ({ metadata: { namespace, name } }: Pod) =>
    context.client
      .resource(Pod)
      .in(namespace!)
      .patch(name!, 'merge', { metadata: { labels: { [revisionHashLabel]: hash } } })
  await settleAll(pods.filter(({ metadata }) => doubled.has(metadata.labels?.[revisionHashLabel] ?? '')).map(relabel))
  await settleAll(others.map((revision) => deleteRevision(revision, context)))
}

async function deleteRevision(
  { metadata: { namespace, name } }: ControllerRevision,
  { client }: ReconcileContext,
): Promise<void> {
  try {
    await client.resource(ControllerRevision).in(namespace!).delete(name!)
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error
  }
}
