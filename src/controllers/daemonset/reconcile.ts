import { DaemonSet } from '../../api/apps/v1/daemon-set.js'
import { Node } from '../../api/core/v1/node.js'
import { Pod } from '../../api/core/v1/pod.js'
import { isSame } from '../../api/validation/immutability.js'
import type { KeyedBackoff } from '../../base/backoff.js'
import { claim } from '../pods/claiming.js'
import { createPod, deletePod, isNamespaceTerminating } from '../pods/creating.js'
import { ownedPods } from '../pods/owned-objects.js'
import { nextAvailability } from '../pods/readiness.js'
import { selectorOf } from '../pods/selectors.js'
import { slowStart } from '../pods/slow-start.js'
import type { Outcome, World } from '../runtime/reconcile.js'
import { daemonPod } from './daemon-pod.js'
import { type Actions, type Decision, decide, type Ended } from './decide.js'
import { forgetOld, keepHistory } from './keeping-history.js'
import { type Layout, layoutOf } from './layout.js'
import { updateStep } from './rolling-update.js'
import { statusOf } from './status.js'

export async function reconcileDaemonSet(
  key: string,
  world: World,
  failures: KeyedBackoff,
): Promise<Outcome | undefined> {
  const set = world.informers.of(DaemonSet).get(key)
  // Of one that goes, pods and history go as well, in whatever order; nothing true could be said of it.
  if (!set || set.metadata.deletionTimestamp !== undefined) return undefined
  if (selectorOf(set.spec.selector).isEmpty) {
    const message = 'This daemon set is selecting all pods. A non-empty selector is required.'
    world.events.record({ about: set, type: 'Warning', reason: 'SelectingAll', message })
    return undefined
  }
  const pods = await claimPods(set, world)
  const { hash, old } = await keepHistory(set, pods, world)
  const { clock } = world.environment
  const layout = layoutOf(set, { hash, nodes: world.informers.of(Node).list(), pods, now: clock.now() })
  const site = (nodeName: string) => `${set.metadata.uid}/${set.status.observedGeneration}/${nodeName}`
  const decision = decide(layout, (nodeName) => failures.remaining(site(nodeName)))
  tellOfEnded(decision.ended, set, world)
  for (const { pod, nodeName } of decision.ended) if (pod.status.phase === 'Failed') failures.next(site(nodeName))
  try {
    await act(decision, layout, world)
    // One step at a time: what was made or removed just now is not in the layout.
    if (isIdle(decision) && set.spec.updateStrategy?.type === 'RollingUpdate')
      await act(updateStep(layout), layout, world)
    await forgetOld(set, old, pods, world)
  } finally {
    await writeStatus(layout, world)
  }
  return nextLook(layout, pods, decision)
}

function claimPods(set: DaemonSet, { client, informers }: World): Promise<readonly Pod[]> {
  const selector = selectorOf(set.spec.selector)
  return claim(ownedPods(informers).claimable(set), {
    kind: Pod,
    owner: set,
    ownerKind: DaemonSet,
    matches: ({ metadata }) => selector.matches(metadata.labels ?? {}),
    client,
  })
}

function tellOfEnded(ended: readonly Ended[], set: DaemonSet, { events }: World): void {
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

async function act({ create, remove }: Actions, { set, hash }: Layout, world: World): Promise<void> {
  const nodes = create.slice(0, mostAtOnce)
  const making = slowStart(nodes.length, (i) => createPod(daemonPod(set, hash, nodes[i]!), set, world))
  const made = making.catch((error) => {
    if (!isNamespaceTerminating(error)) throw error
  })
  const results = await Promise.allSettled([
    made,
    ...remove.slice(0, mostAtOnce).map((pod) => deletePod(pod, set, world)),
  ])
  const failed = results.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
}

async function writeStatus(layout: Layout, { client }: World): Promise<void> {
  const status = statusOf(layout)
  const { set } = layout
  if (isSame(status, set.status)) return
  await client
    .resource(DaemonSet)
    .subresource('status')
    .update({ ...set, status })
}

function nextLook({ set, now }: Layout, pods: readonly Pod[], { after }: Decision): Outcome {
  const available = nextAvailability(pods, set.spec.minReadySeconds ?? 0, now)
  const waits = [after, available].filter((wait) => wait !== undefined)
  return waits.length > 0 ? { after: Math.min(...waits) } : {}
}
