import type { Node } from '../api/core/v1/node.js'
import type { PodSpec } from '../api/core/v1/pod/spec.js'
import type { Pod } from '../api/core/v1/pod.js'
import type { ObjectMeta } from '../api/meta/v1/object-meta.js'
import { seededRandom } from '../base/random.js'
import { NodeInfo } from './cache/node-info.js'
import { PodInfo } from './cache/pod-info.js'
import { ClusterSnapshot } from './cache/snapshot.js'
import { type CycleContext, type CycleResult, decide } from './cycle/cycle.js'
import { noNominatedPods } from './framework/plugin.js'
import type { SchedulerProfile } from './framework/profile.js'
import { defaultBinder } from './plugins/default-binder.js'
import { nodeName } from './plugins/node-name.js'
import { nodeResourcesFit } from './plugins/node-resources/fit.js'
import { nodeUnschedulable } from './plugins/node-unschedulable.js'
import { testPlugin } from './plugins/plugins.test.kit.js'
import { prioritySort } from './plugins/priority-sort.js'
import { schedulingGates } from './plugins/scheduling-gates.js'
import { taintToleration } from './plugins/taint-toleration.js'

export interface PodParts {
  readonly metadata?: Partial<ObjectMeta>
  readonly spec?: Partial<PodSpec>
  readonly status?: Partial<Pod['status']>
  /** Of its container. */
  readonly requests?: Readonly<Record<string, string>>
}

/** A pod with one container. Its uid is its name by default. */
export function samplePod(name: string, { metadata, spec, status, requests }: PodParts = {}): Pod {
  const container = { name: 'c', image: 'image', resources: requests ? { requests } : {} }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', uid: name, resourceVersion: '1', generation: 1, ...metadata },
    spec: { schedulerName: 'default-scheduler', containers: [container], ...spec },
    status: { ...status },
  } as Pod
}

export function podInfo(name: string, parts?: PodParts): PodInfo {
  return new PodInfo(samplePod(name, parts))
}

export interface NodeParts {
  readonly labels?: Readonly<Record<string, string>>
  readonly spec?: Node['spec']
  readonly allocatable?: Readonly<Record<string, string>>
  readonly images?: NonNullable<Node['status']>['images']
}

/** By default 4 CPUs, 8 GiB and 10 pods. */
export function sampleNode(name: string, { labels = {}, spec = {}, allocatable, images }: NodeParts = {}): Node {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } },
    spec,
    status: { allocatable: { cpu: '4', memory: '8Gi', pods: '10', ...allocatable }, ...(images && { images }) },
  } as Node
}

export function nodeInfo(name: string, parts?: NodeParts, pods: readonly PodInfo[] = []): NodeInfo {
  return NodeInfo.of(sampleNode(name, parts), pods)
}

/** A profile with a few plugins that depend only on the node. */
export function sampleProfile(parts: Partial<SchedulerProfile> = {}): SchedulerProfile {
  const taints = testPlugin(taintToleration)
  const fit = testPlugin(nodeResourcesFit)
  return {
    schedulerName: 'default-scheduler',
    queueSort: [testPlugin(prioritySort)],
    preEnqueue: [testPlugin(schedulingGates)],
    filter: [testPlugin(nodeUnschedulable), testPlugin(nodeName), taints, fit],
    score: [
      { plugin: taints, weight: 3 },
      { plugin: fit, weight: 1 },
    ],
    postFilter: [],
    bind: [testPlugin(defaultBinder)],
    percentageOfNodesToScore: 0,
    ...parts,
  }
}

/** Runs a cycle for the pod over these nodes. */
export function decideAmong(pod: PodInfo, nodes: readonly NodeInfo[], parts: Partial<CycleContext> = {}): CycleResult {
  return decide(pod, {
    profile: sampleProfile(),
    snapshot: new ClusterSnapshot(nodes),
    nominated: noNominatedPods,
    start: 0,
    random: seededRandom(1),
    ...parts,
  })
}
