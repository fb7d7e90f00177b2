/** Measures decisions with pod affinity, topology spread or preemption, without a server. */
import type { PodSpec } from '../src/api/core/v1/pod/spec.js'
import { seededRandom } from '../src/base/random.js'
import { ClusterCache } from '../src/scheduler/cache/cluster-cache.js'
import type { PodInfo } from '../src/scheduler/cache/pod-info.js'
import { defaultProfile } from '../src/scheduler/configuration/profile-factory.js'
import { decide } from '../src/scheduler/cycle/cycle.js'
import { noNominatedPods } from '../src/scheduler/framework/plugin.js'
import { type GivenPod, informersOf, node, pod } from '../src/scheduler/plugins/plugins.test.kit.js'
import type { ReportFigure } from './figure.js'

const nodes = 5000
const measured = 1000
const labels = { app: 'web' }
const zone = 'topology.kubernetes.io/zone'

interface Scenario {
  readonly name: string
  /** Pods per second. */
  readonly least: number
  /** The existing pods: one for each node. */
  readonly there: (i: number) => GivenPod
  readonly perNode?: number
  readonly incoming: GivenPod
}

const term = (topologyKey: string) => ({ topologyKey, labelSelector: { matchLabels: labels } })
const requests = { cpu: '100m', memory: '500Mi' }

const hostname = 'kubernetes.io/hostname'
const spread: Partial<PodSpec> = {
  topologySpreadConstraints: [
    { maxSkew: 5, topologyKey: zone, whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: labels } },
    { maxSkew: 1, topologyKey: hostname, whenUnsatisfiable: 'ScheduleAnyway', labelSelector: { matchLabels: labels } },
  ],
}
const preferred: Partial<PodSpec> = {
  affinity: {
    podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: term(zone) }] },
  },
}
const anti: Partial<PodSpec> = {
  affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term(hostname)] } },
}

const scenarios: readonly Scenario[] = [
  ...[
    { name: 'topology spread', least: 200, spec: spread },
    { name: 'preferred pod affinity', least: 150, spec: preferred },
  ].map(({ name, least, spec }) => ({
    name,
    least,
    there: () => ({ labels, requests, spec: withRequests(spec) }),
    incoming: { labels, requests, spec: withRequests(spec) },
  })),
  {
    name: 'required pod anti-affinity',
    least: 120,
    // Three quarters of the nodes have a pod with anti-affinity to its own kind.
    there: (i) => (i % 4 === 0 ? { requests } : { labels, requests, spec: withRequests(anti) }),
    incoming: { labels, requests, spec: withRequests(anti) },
  },
  {
    name: 'preemption',
    least: 150,
    perNode: 4,
    there: () => ({ requests: { cpu: '8' }, priority: 1 }),
    incoming: { requests: { cpu: '8' }, priority: 10 },
  },
]

function withRequests(spec: Partial<PodSpec>): Partial<PodSpec> {
  return { ...spec, containers: [{ name: 'c', image: 'web', resources: { requests } }] }
}

export async function pluginFigures(report: ReportFigure): Promise<void> {
  for (const scenario of scenarios) await figure(scenario, report)
}

async function figure({ name, least, there, incoming, perNode = 1 }: Scenario, report: ReportFigure): Promise<void> {
  const cache = new ClusterCache()
  for (let i = 0; i < nodes; i++) cache.putNode(node(`node-${i}`, { labels: { [zone]: `zone-${i % 10}` } }).node)
  for (let i = 0; i < nodes * perNode; i++) cache.assume(pod(`there-${i}`, there(i)), `node-${i % nodes}`)
  const place = schedulingFunction(cache)
  const pods = Array.from({ length: measured }, (_, i) => pod(`pod-${i}`, incoming))
  for (const one of pods.slice(0, 100)) await place(one) // to warm up
  const [begun, cpu] = [performance.now(), process.cpuUsage()]
  for (const one of pods.slice(100)) await place(one)
  const count = measured - 100
  const value = (count * 1000) / (performance.now() - begun)
  const { user, system } = process.cpuUsage(cpu)
  const note = `${((user + system) / count / 1000).toFixed(1)} ms of CPU a pod; ${nodes} nodes, ${nodes * perNode} pods there`
  report({ name: `scheduler: ${name}`, value, unit: 'pods/s', budget: `≥ ${least} pods/s`, note })
}

/** Returns a function that schedules a pod, and preempts others if no node fits. */
function schedulingFunction(cache: ClusterCache): (pod: PodInfo) => Promise<void> {
  const profile = defaultProfile({ schedulerName: 'default-scheduler', informers: informersOf(), extenders: [] })
  const random = seededRandom(1)
  let start = 0
  return async (info) => {
    const snapshot = cache.snapshot()
    const { decision, filters, next } = decide(info, { profile, random, start, snapshot, nominated: noNominatedPods })
    start = next
    if (decision.node) return cache.assume(info, decision.node.name)
    const failed = { decision, snapshot, nominated: noNominatedPods, filters, random }
    const rescue = await profile.postFilter.at(-1)!.postFilter!(failed)
    if (!rescue.nominatedNode) throw new Error(`no room can be made: ${rescue.message}`)
    const [victim] = snapshot.get(rescue.nominatedNode)!.pods.filter(({ priority }) => priority < info.priority)
    cache.removePod(victim!.uid)
    cache.assume(info, rescue.nominatedNode)
  }
}
