import { DaemonSet } from '../../api/apps/v1/daemon-set.js'
import { Node } from '../../api/core/v1/node.js'
import { Pod } from '../../api/core/v1/pod.js'
import { isSame } from '../../api/validation/immutability.js'
import type { KeyedBackoff } from '../../base/backoff.js'
import { claim } from '../pods/claiming.js'
import { ownedPods } from '../pods/owned-objects.js'
import { createPod, deletePod, isNamespaceTerminating } from '../pods/pod-writes.js'
import { nextAvailability } from '../pods/readiness.js'
import { compiledSelector } from '../pods/selectors.js'
import { slowStart } from '../pods/slow-start.js'
import type { ReconcileContext, ReconcileResult } from '../runtime/reconcile.js'
import { daemonPod } from './daemon-pod.js'
import { type Actions, type Decision, decide, type Ended } from './decide.js'
import { forgetOld, keepHistory } from './keeping-history.js'
import { type Layout, layoutOf } from './layout.js'
import { updateStep } from './rolling-update.js'
import { daemonSetStatus } from './status.js'

export async function reconcileDaemonSet(
  key: string,
  context: ReconcileContext,
  failures: KeyedBackoff,
): Promise<ReconcileResult | undefined> {
  const set = context.informers.of(DaemonSet).get(key)
  // Of one that goes, pods and history go as well, in whatever order; nothing true could be said of it.
  if (!set || set.metadata.deletionTimestamp !== undefined) return undefined
  if (compiledSelector(set.spec.selector).isEmpty) {
    const message = 'This daemon set is selecting all pods. A non-empty selector is required.'
    context.events.record({ about: set, type: 'Warning', reason: 'SelectingAll', message })
    return undefined
  }
  const pods = await claimPods(set, context)
  const { hash, old } = await keepHistory(set, pods, context)
  const { clock } = context.environment
  const layout = layoutOf(set, { hash, nodes: context.informers.of(Node).list(), pods, now: clock.now() })
  const site = (nodeName: string) => `${set.metadata.uid}/${set.status.observedGeneration}/${nodeName}`
  const decision = decide(layout, (nodeName) => failures.remaining(site(nodeName)))
  tellOfEnded(decision.ended, set, context)
  for (const { pod, nodeName } of decision.ended) if (pod.status.phase === 'Failed') failures.next(site(nodeName))
  try {
    await act(decision, layout, context)
    // One step at a time: what was made or removed just now is not in the layout.
    if (isIdle(decision) && set.spec.updateStrategy?.type === 'RollingUpdate')
      await act(updateStep(layout), layout, context)
    await forgetOld(set, old, pods, context)
  } finally {
    await writeStatus(layout, context)
  }
  return nextLook(layout, pods, decision)
}

function claimPods(set: DaemonSet, { client, informers }: ReconcileContext): Promise<readonly Pod[]> {
  const selector = compiledSelector(set.spec.selector)
  return claim(ownedPods(informers).claimable(set), {
    kind: Pod,
    owner: set,
    ownerKind: DaemonSet,
    matches: ({ metadata }) => selector.matches(metadata.labels ?? {}),
    client,
  })
}

function tellOfEnded(ended: readonly Ended[], set: DaemonSet, { events }: ReconcileContext): void {
  for (const { pod, nodeName } of ended) {
    const hasFailed = pod.status.phase === 'Failed'
    const [what, how] = hasFailed ? ['failed', 'kill'] : ['succeeded', 'delete']
    const { namespace, name } = pod.metadata
    const message = `Found ${what} daemon pod ${namespace}/${name} on node ${nodeName}, will try to ${how} it`
    const reason = hasFailed ? 'FailedDaemonPod' : 'SucceededDaemonPod'
    events.record({ about: set, type: hasFailed ? 'Warning' : 'Normal', reason, message })
  }
}

function isIdle({ create, remove }: Actions): boolean {
  return create.length === 0 && remove.length === 0
}

/** One look makes or removes no more: other sets want their turn. */
const mostAtOnce = 250

async function act({ create, remove }: Actions, { set, hash }: Layout, context: ReconcileContext): Promise<void> {
  const nodes = create.slice(0, mostAtOnce)
  const making = slowStart(nodes.length, (i) => createPod(daemonPod(set, hash, nodes[i]!), set, context))
  const made = making.catch((error) => {
    if (!isNamespaceTerminating(error)) throw error
  })
  const results = await Promise.allSettled([
    made,
    ...remove.slice(0, mostAtOnce).map((pod) => deletePod(pod, set, context)),
  ])
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
}

async function writeStatus(layout: Layout, { client }: ReconcileContext): Promise<void> {
  const status = daemonSetStatus(layout)
  const { set } = layout
  if (isSame(status, set.status)) return
  await client
    .resource(DaemonSet)
    .subresource('status')
    .update({ ...set, status })
}

function nextLook({ set, now }: Layout, pods: readonly Pod[], { after }: Decision): ReconcileResult {
  const available = nextAvailability(pods, set.spec.minReadySeconds ?? 0, now)
  const waits = [after, available].filter((wait) => wait !== undefined)
  return waits.length > 0 ? { requeueAfter: Math.min(...waits) } : {}
}
