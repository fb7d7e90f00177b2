import { ControllerRevision } from '../../api/apps/v1/controller-revision.js'
import { DaemonSet } from '../../api/apps/v1/daemon-set.js'
import { Pod } from '../../api/core/v1/pod.js'
import { hasReason } from '../../api/errors.js'
import type { KeyedBackoff } from '../../base/backoff.js'
import type { Given } from '../../client/resource-client.js'
import { createPod, deletePod, isNamespaceTerminating } from '../pods/pod-writes.js'
import { slowStart } from '../pods/slow-start.js'
import { settleAll } from '../runtime/concurrency.js'
import { unlessNotFound } from '../runtime/failures.js'
import type { ActResult, ReconcileContext } from '../runtime/reconcile.js'
import { daemonPod, revisionHashLabel } from './daemon-pod.js'
import type {
  DaemonPodDecision,
  DaemonSetDecision,
  DaemonSetObservation,
  ObservedObjects,
  RevisionUpdate,
} from './decide.js'
import { isRevisionOf, revisionHash } from './history.js'
import { failureKey } from './observe.js'
import type { EndedPod, PodActions } from './pod-changes.js'

type DaemonSetResult = ActResult<DaemonSetObservation> | undefined

export function actorOf(failures: () => KeyedBackoff) {
  return async (
    decision: DaemonSetDecision,
    observation: DaemonSetObservation,
    context: ReconcileContext,
  ): Promise<DaemonSetResult> => {
    const { set } = observation
    const observed = observation as ObservedObjects // all other decisions follow from observed objects
    switch (decision.do) {
      case 'reject empty selector':
        return rejectEmptySelector(set, context)
      case 'label revisions':
        return labelRevisions(decision.revisions, observed, context)
      case 'create revision':
        return withHash(observed, revisionHash(await createRevision(decision.revision, set, context)))
      case 'update revision':
        await updateRevision(decision, context)
        return withHash(observed, decision.hash)
      case 'change pods':
        recordEnded(decision.ended, set, context)
        for (const { pod, nodeName } of decision.ended)
          if (pod.status.phase === 'Failed') failures().next(failureKey(set, nodeName))
        return changePods(decision, set, context)
    }
  }
}

function withHash(observed: ObservedObjects, hash: string): DaemonSetResult {
  return { observation: { ...observed, stage: 'pods', hash } }
}

function rejectEmptySelector(set: DaemonSet, { events }: ReconcileContext): undefined {
  const message = 'This daemon set is selecting all pods. A non-empty selector is required.'
  events.record({ about: set, type: 'Warning', reason: 'SelectingAll', message })
}

async function labelRevisions(
  unlabelled: readonly ControllerRevision[],
  observed: ObservedObjects,
  { client }: ReconcileContext,
): Promise<DaemonSetResult> {
  const labelled = await settleAll(unlabelled.map((revision) => client.resource(ControllerRevision).update(revision)))
  const byName = new Map(labelled.map((revision) => [revision.metadata.name, revision]))
  const revisions = observed.revisions.map((revision) => byName.get(revision.metadata.name) ?? revision)
  return { observation: { ...observed, stage: 'revision', revisions } }
}

/** If the name exists, it may be the same revision. */
async function createRevision(
  revision: Given<ControllerRevision>,
  set: DaemonSet,
  { client }: ReconcileContext,
): Promise<ControllerRevision> {
  const revisions = client.resource(ControllerRevision).in(set.metadata.namespace!)
  try {
    return await revisions.create(revision)
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error
    const existing = await revisions.get(revision.metadata.name!)
    if (isRevisionOf(set, existing)) return existing
    await countCollision(set, client)
    throw error // the next reconcile takes another name
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

/** Duplicates are deleted after their pods are relabelled. */
async function updateRevision(
  { hash, relabel, duplicates, renumbered }: RevisionUpdate,
  { client }: ReconcileContext,
): Promise<void> {
  const labels = { [revisionHashLabel]: hash }
  await settleAll(
    relabel.map(({ metadata: { namespace, name } }) =>
      client.resource(Pod).in(namespace!).patch(name!, 'merge', { metadata: { labels } }),
    ),
  )
  await deleteRevisions(duplicates, client)
  if (renumbered) await client.resource(ControllerRevision).update(renumbered)
}

async function deleteRevisions(
  revisions: readonly ControllerRevision[],
  client: ReconcileContext['client'],
): Promise<void> {
  await settleAll(
    revisions.map(({ metadata: { namespace, name } }) =>
      unlessNotFound(client.resource(ControllerRevision).in(namespace!).delete(name!)),
    ),
  )
}

function recordEnded(ended: readonly EndedPod[], set: DaemonSet, { events }: ReconcileContext): void {
  for (const { pod, nodeName } of ended) {
    const hasFailed = pod.status.phase === 'Failed'
    const [phase, action] = hasFailed ? ['failed', 'kill'] : ['succeeded', 'delete']
    const { namespace, name } = pod.metadata
    const message = `Found ${phase} daemon pod ${namespace}/${name} on node ${nodeName}, will try to ${action} it`
    const reason = hasFailed ? 'FailedDaemonPod' : 'SucceededDaemonPod'
    events.record({ about: set, type: hasFailed ? 'Warning' : 'Normal', reason, message })
  }
}

/** Writes the status also if something failed. */
async function changePods(
  decision: DaemonPodDecision,
  set: DaemonSet,
  context: ReconcileContext,
): Promise<DaemonSetResult> {
  const { hash, surplus, status, requeueAfter } = decision
  const { client } = context
  try {
    await createAndDelete(decision, { set, hash }, context)
    await deleteRevisions(surplus, client)
  } finally {
    if (status)
      await client
        .resource(DaemonSet)
        .subresource('status')
        .update({ ...set, status })
  }
  return requeueAfter === undefined ? {} : { requeueAfter }
}

async function createAndDelete(
  { create, remove }: PodActions,
  { set, hash }: { readonly set: DaemonSet; readonly hash: string },
  context: ReconcileContext,
): Promise<void> {
  const creation = slowStart(create.length, (i) => createPod(daemonPod(set, hash, create[i]!), set, context)).catch(
    (error) => {
      if (!isNamespaceTerminating(error)) throw error
    },
  )
  const results = await Promise.allSettled([creation, ...remove.map((pod) => deletePod(pod, set, context))])
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
}
