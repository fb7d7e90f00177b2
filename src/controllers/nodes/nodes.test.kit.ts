import { Lease } from '../../api/coordination/v1/lease.js'
import type { NodeCondition } from '../../api/core/v1/node/status.js'
import { Node } from '../../api/core/v1/node.js'
import { Pod } from '../../api/core/v1/pod.js'
import type { Taint, Toleration } from '../../api/core/v1/taint.js'
import { formatMicroTime, formatTime } from '../../schema/values/time.js'
import type { TestCluster } from '../../testing/cluster.js'
import type { Transcript } from '../../testing/controllers/transcript.js'
import { isReady } from '../pods/readiness.js'

export interface NodeOptions {
  readonly zone?: string
  readonly labels?: Readonly<Record<string, string>>
  /** It says nothing of itself. */
  readonly isMute?: boolean
}

type Cluster = Pick<TestCluster, 'client' | 'environment'>

/** A node that says it is well. */
export async function makeNode(
  cluster: Cluster,
  name: string,
  { zone, labels, isMute }: NodeOptions = {},
): Promise<void> {
  const all = { ...labels, ...(zone && { 'topology.kubernetes.io/zone': zone }) }
  await cluster.client.resource(Node).create({ metadata: { name, labels: all } })
  if (!isMute) await say(cluster, name, 'Ready', 'True')
}

export async function say(
  { client, environment }: Cluster,
  name: string,
  type: NodeCondition['type'],
  status: NodeCondition['status'],
): Promise<void> {
  const time = formatTime(environment.clock.now())
  const condition = { type, status, lastHeartbeatTime: time, lastTransitionTime: time, reason: 'Told', message: 'so' }
  const patch = { status: { conditions: [condition], allocatable: { cpu: '4' } } }
  await client.resource(Node).subresource('status').patch(name, 'strategic', patch)
}

/** As kubelets do every ten seconds. */
async function renew({ client, environment }: Cluster, name: string): Promise<void> {
  const leases = client.resource(Lease).in('kube-node-lease')
  const spec = { holderIdentity: name, renewTime: formatMicroTime(environment.clock.now()) }
  await leases.apply({ metadata: { name, namespace: 'kube-node-lease' }, spec }, { fieldManager: 'kubelet' })
}

/** Lets so many seconds pass, in which these nodes and no others are heard of; what there is, is written down when it has changed. */
export async function live(stage: Transcript, seconds: number, nodes: readonly string[], every = 10): Promise<void> {
  for (let passed = 0; passed < seconds; passed += every) {
    for (const name of nodes) await renew(stage.cluster, name)
    await stage.clock.advance(1000 * Math.min(every, seconds - passed))
  }
  await stage.step(`${seconds} s later; heard of: ${nodes.join(', ') || 'nobody'}`)
}

export interface NodePodOptions {
  readonly tolerations?: readonly Toleration[]
  readonly labels?: Readonly<Record<string, string>>
}

/** A pod on a node, which is ready. */
export async function makePod(
  cluster: Cluster,
  name: string,
  nodeName: string,
  options: NodePodOptions = {},
): Promise<void> {
  const { client, environment } = cluster
  const { tolerations, labels } = options
  const spec = { nodeName, containers: [{ name: 'c', image: 'web' }], ...(tolerations && { tolerations }) }
  await client.resource(Pod).create({ metadata: { name, namespace: 'default', ...(labels && { labels }) }, spec })
  const lastTransitionTime = formatTime(environment.clock.now())
  const conditions = [{ type: 'Ready' as const, status: 'True' as const, lastTransitionTime }]
  const status = { phase: 'Running' as const, conditions }
  await client.resource(Pod).in('default').subresource('status').patch(name, 'merge', { status })
}

/** Nodes and pods, a line each. */
export async function viewOfNodes({ client }: TestCluster): Promise<readonly string[]> {
  const nodes = await client.resource(Node).list()
  const pods = await client.resource(Pod).list()
  return [
    ...nodes.items.map((node) => `Node ${node.metadata.name}: ${stateOf(node)}`),
    ...pods.items.map((pod) => `Pod ${pod.metadata.name}: ${stateOfPod(pod)}`),
  ]
}

function stateOf({ status, spec }: Node): string {
  const types = new Map<string, string[]>()
  for (const { type, status: is, reason, lastTransitionTime } of status.conditions ?? []) {
    const said = `${is} (${reason}, ${clockOf(lastTransitionTime)})`
    types.set(said, [...(types.get(said) ?? []), type])
  }
  const conditions = [...types].map(([said, some]) => `${some.join('/')}=${said}`)
  return [...conditions, ...(spec.taints ?? []).map(textOf)].join('; ') || 'silent'
}

function textOf({ key, effect, timeAdded }: Taint): string {
  return `${key.replace('node.kubernetes.io/', '')}:${effect}${timeAdded ? ` ${clockOf(timeAdded)}` : ''}`
}

function clockOf(time: string | undefined): string {
  return time?.slice(11, 19) ?? 'never'
}

function stateOfPod(pod: Pod): string {
  const { conditions = [] } = pod.status
  const disrupted = conditions.find(({ type }) => type === 'DisruptionTarget')
  const said = [
    isReady(pod) ? 'ready' : 'not ready',
    disrupted && `DisruptionTarget=${disrupted.status} ${disrupted.reason ?? ''}`.trim(),
    pod.metadata.deletionTimestamp !== undefined && 'going',
  ]
  return said.filter(Boolean).join(', ')
}
