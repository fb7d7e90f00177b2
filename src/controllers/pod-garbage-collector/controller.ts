import { Node } from '../../api/core/v1/node.js'
import { Pod } from '../../api/core/v1/pod.js'
import { hasReason } from '../../api/errors.js'
import { formatTime } from '../../schema/values/time.js'
import { controller } from '../runtime/builder.js'
import { forEachConcurrently } from '../runtime/concurrency.js'
import type { Controller } from '../runtime/controller.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import { collect } from './collecting.js'
import { podCollectorMetrics } from './metrics.js'
import { plan } from './plan.js'
import { Quarantine } from './quarantine.js'

/** How often all pods are looked at, in milliseconds. */
const every = 20_000
const collectedAtOnce = 32

export interface PodCollectorOptions {
  /** How many pods that have ended may stay. */
  readonly threshold?: number | undefined
}

/** Deletes pods that nobody else will: it looks at all of them again and again. */
export function podCollector({ threshold = 12_500 }: PodCollectorOptions = {}): Controller {
  const quarantine = new Quarantine()
  const nothing = () => []
  return controller('pod-garbage-collector-controller')
    .watches(Pod, nothing)
    .watches(Node, nothing)
    .startingWith('pods')
    .workers(1)
    .reconcile(async (_, context) => {
      await look(context, quarantine, threshold)
      return { requeueAfter: every }
    })
}

async function look(context: ReconcileContext, quarantine: Quarantine, threshold: number): Promise<void> {
  const { client, informers, environment } = context
  const { clock, log } = environment
  const nodes = informers.of(Node)
  const pods = [...informers.of(Pod).list()]
  const goneNodes = await goneNodesOf(pods, context, quarantine)
  const metrics = podCollectorMetrics(environment.metrics)
  const node = (name: string) => nodes.get(name)
  await forEachConcurrently(plan({ pods, node, goneNodes, threshold }), collectedAtOnce, async (collected) => {
    const { namespace = '', name } = collected.pod.metadata
    metrics.collected(namespace, collected.reason)
    try {
      await collect(client, collected, formatTime(clock.now()))
    } catch (error) {
      metrics.failed(namespace, collected.reason)
      log.warn('a pod could not be collected', { namespace, name, reason: collected.reason, error })
    }
  })
}

/** Of the nodes that have been missing for long enough, those of which the server says so as well. */
async function goneNodesOf(
  pods: readonly Pod[],
  { client, informers, environment }: ReconcileContext,
  quarantine: Quarantine,
): Promise<ReadonlySet<string>> {
  const nodes = informers.of(Node)
  const bound = new Set(pods.map(({ spec }) => spec.nodeName ?? ''))
  const missing = new Set([...bound].filter((name) => name !== '' && !nodes.get(name)))
  const gone = new Set<string>()
  for (const name of quarantine.overdue(missing, environment.clock.monotonic()))
    try {
      await client.resource(Node).get(name)
    } catch (error) {
      if (hasReason(error, 'NotFound')) gone.add(name)
      else environment.log.warn('it cannot be told whether a node exists', { node: name, error })
    }
  return gone
}
