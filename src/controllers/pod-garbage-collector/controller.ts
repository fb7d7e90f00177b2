import { Node } from '../../api/core/v1/node.js'
import { Pod } from '../../api/core/v1/pod.js'
import { integer } from '../../base/flags/flag-types.js'
import type { Metrics } from '../../base/metrics.js'
import { formatTime } from '../../schema/values/time.js'
import { defineController } from '../definition.js'
import { forEachConcurrently } from '../runtime/concurrency.js'
import { unlessNotFound } from '../runtime/failures.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import { type CollectedPod, type CollectionReason, decide, type PodCollectorObservation } from './decide.js'
import { forceDelete } from './force-delete.js'
import { NodeQuarantine } from './node-quarantine.js'

/** Milliseconds between two runs over all pods. */
const period = 20_000
const concurrentDeletes = 32

/** Deletes pods that no kubelet deletes. */
export const definition = defineController({
  name: 'pod-garbage-collector-controller',
  alias: 'podgc',
  serviceAccount: 'pod-garbage-collector',
  rules: ['delete list watch on pods of core', 'get list watch on nodes of core', 'patch on pods/status of core'],
  flags: {
    'terminated-pod-gc-threshold': integer('How many pods that have ended are kept; 0 for all.', {
      placeholder: 'COUNT',
      initial: 12_500,
    }),
  },
  create: (controller, { flags }) =>
    controller
      .watches(Pod)
      .watches(Node)
      .startingWith('pods')
      .workers(1)
      .reconcile({ observe: observerOf(flags['terminated-pod-gc-threshold']), decide, act }),
})

function observerOf(threshold: number) {
  const quarantine = new NodeQuarantine()
  return async (_: string, context: ReconcileContext): Promise<PodCollectorObservation> => {
    const nodes = context.informers.of(Node)
    const pods = [...context.informers.of(Pod).list()]
    const goneNodes = await goneNodesOf(pods, quarantine, context)
    return { pods, node: (name) => nodes.get(name), goneNodes, threshold }
  }
}

/** The nodes that have been missing for long enough and that the server does not know either. */
async function goneNodesOf(
  pods: readonly Pod[],
  quarantine: NodeQuarantine,
  { client, informers, environment }: ReconcileContext,
): Promise<ReadonlySet<string>> {
  const nodes = informers.of(Node)
  const bound = new Set(pods.map(({ spec }) => spec.nodeName ?? ''))
  const missing = new Set([...bound].filter((name) => name !== '' && !nodes.get(name)))
  const gone = new Set<string>()
  for (const name of quarantine.overdue(missing, environment.clock.monotonic()))
    try {
      if (!(await unlessNotFound(client.resource(Node).get(name)))) gone.add(name)
    } catch (error) {
      environment.log.warn('node lookup failed', { node: name, error })
    }
  return gone
}

async function act(collected: readonly CollectedPod[], _: PodCollectorObservation, context: ReconcileContext) {
  const metrics = collectorMetrics(context.environment.metrics)
  await forEachConcurrently(collected, concurrentDeletes, (each) => collect(each, metrics, context))
  return { requeueAfter: period }
}

async function collect(
  collected: CollectedPod,
  metrics: ReturnType<typeof collectorMetrics>,
  { client, environment }: ReconcileContext,
): Promise<void> {
  const { clock, log } = environment
  const { namespace = '', name } = collected.pod.metadata
  metrics.collected(namespace, collected.reason)
  try {
    await forceDelete(client, collected, formatTime(clock.now()))
  } catch (error) {
    metrics.failed(namespace, collected.reason)
    log.warn('pod collection failed', { namespace, name, reason: collected.reason, error })
  }
}

/** Upstream's metrics. */
function collectorMetrics(metrics: Metrics) {
  const labels = ['namespace', 'reason'] as const
  const collected = metrics.counter({
    name: 'pod_gc_collector_force_delete_pods_total',
    help: 'Pods that were deleted by force.',
    labels,
  })
  const failed = metrics.counter({
    name: 'pod_gc_collector_force_delete_pod_errors_total',
    help: 'Pods that could not be deleted by force.',
    labels,
  })
  return {
    collected: (namespace: string, reason: CollectionReason) => collected.labels(namespace, reason).inc(),
    failed: (namespace: string, reason: CollectionReason) => failed.labels(namespace, reason).inc(),
  }
}
