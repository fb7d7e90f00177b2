import { ControllerRevision } from '../../api/apps/v1/controller-revision.js'
import { DaemonSet } from '../../api/apps/v1/daemon-set.js'
import { Node } from '../../api/core/v1/node.js'
import { Pod } from '../../api/core/v1/pod.js'
import type { KeyedBackoff } from '../../base/backoff.js'
import { claim } from '../pods/claiming.js'
import { OwnedObjects } from '../pods/owned-objects.js'
import { compiledSelector } from '../pods/selectors.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import { nodeNameOf } from './daemon-pod.js'
import type { DaemonSetObservation } from './decide.js'

/** The key of a node in the back-off of failed pods. A new generation of the set starts again. */
export function failureKey({ metadata, status }: DaemonSet, nodeName: string): string {
  return `${metadata.uid}/${status.observedGeneration}/${nodeName}`
}

/** Also adopts orphaned pods and revisions that the selector selects, and releases those that it no longer selects. */
export async function observe(
  key: string,
  failures: KeyedBackoff,
  context: ReconcileContext,
): Promise<DaemonSetObservation | undefined> {
  const set = context.informers.of(DaemonSet).get(key)
  // The garbage collector deletes pods and revisions of a set that is being deleted, in any order.
  if (!set || set.metadata.deletionTimestamp !== undefined) return undefined
  if (compiledSelector(set.spec.selector).isEmpty) return { stage: 'empty selector', set }
  const pods = await claimObjects(Pod, set, context)
  const revisions = await claimObjects(ControllerRevision, set, context)
  return {
    stage: 'labels',
    set,
    pods,
    revisions,
    nodes: [...context.informers.of(Node).list()],
    failureDelays: failureDelays(set, pods, failures),
    now: context.environment.clock.now(),
  }
}

function claimObjects<Kind extends typeof Pod | typeof ControllerRevision>(
  kind: Kind,
  set: DaemonSet,
  { client, informers }: ReconcileContext,
) {
  const selector = compiledSelector(set.spec.selector)
  return claim(new OwnedObjects(informers, kind).claimable(set), {
    kind,
    owner: set,
    ownerKind: DaemonSet,
    matches: ({ metadata }) => selector.matches(metadata.labels ?? {}),
    client,
  })
}

function failureDelays(set: DaemonSet, pods: readonly Pod[], failures: KeyedBackoff): ReadonlyMap<string, number> {
  const delays = new Map<string, number>()
  for (const pod of pods) {
    const nodeName = pod.status.phase === 'Failed' ? nodeNameOf(pod) : undefined
    if (nodeName !== undefined) delays.set(nodeName, failures.remaining(failureKey(set, nodeName)))
  }
  return delays
}
