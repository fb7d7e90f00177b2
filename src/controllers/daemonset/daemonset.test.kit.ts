import type { DaemonSet, DaemonSetSpec } from '../../api/apps/v1/daemon-set.js'
import type { Node } from '../../api/core/v1/node.js'
import type { PodSpec } from '../../api/core/v1/pod/spec.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { Taint } from '../../api/core/v1/taint.js'
import { formatTime } from '../../schema/values/time.js'
import { type DaemonLayout, layoutOf } from './layout.js'

export const start = Date.UTC(2026, 0, 1)
/** Of the revision that the set describes. */
export const current = 'new'

export interface DaemonSetOptions {
  readonly pod?: Partial<PodSpec>
  readonly maxUnavailable?: number | string
  readonly maxSurge?: number | string
  readonly spec?: Partial<DaemonSetSpec>
}

export function daemonSet({ pod, maxUnavailable = 1, maxSurge = 0, spec }: DaemonSetOptions = {}): DaemonSet {
  const template = { metadata: { labels: { app: 'd' } }, spec: { containers: [{ name: 'c' }], ...pod } }
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'd', namespace: 'default', uid: 'set-uid', generation: 1 },
    spec: {
      selector: { matchLabels: { app: 'd' } },
      template,
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable, maxSurge } },
      revisionHistoryLimit: 10,
      ...spec,
    },
    status: {},
  } as unknown as DaemonSet
}

export function node(name: string, options: { labels?: Record<string, string>; taints?: readonly Taint[] } = {}): Node {
  const { labels = {}, taints } = options
  return { metadata: { name, labels }, spec: { ...(taints && { taints }) } } as unknown as Node
}

export interface DaemonPodOptions {
  readonly hash?: string
  readonly phase?: string
  /** Seconds after the start since which it has been ready. */
  readonly readySince?: number
  readonly isTerminating?: boolean
  readonly isPlaced?: boolean
  readonly createdAt?: number
}

export function pod(name: string, nodeName: string, options: DaemonPodOptions = {}): Pod {
  const { hash = current, phase = 'Running', readySince, isTerminating, isPlaced = true, createdAt = 0 } = options
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [nodeName] }]
  const required = { nodeSelectorTerms: [{ matchFields }] }
  const ready = readySince !== undefined && {
    type: 'Ready',
    status: 'True',
    lastTransitionTime: formatTime(start + readySince * 1000),
  }
  return {
    metadata: {
      name,
      namespace: 'default',
      labels: { 'controller-revision-hash': hash },
      creationTimestamp: formatTime(start + createdAt * 1000),
      ...(isTerminating && { deletionTimestamp: formatTime(start) }),
    },
    spec: {
      ...(isPlaced && { nodeName }),
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: required } },
    },
    status: { phase, conditions: ready ? [ready] : [] },
  } as unknown as Pod
}

export function layout(set: DaemonSet, nodes: readonly Node[], pods: readonly Pod[], seconds = 100): DaemonLayout {
  return layoutOf(set, { hash: current, nodes, pods, now: start + seconds * 1000 })
}

export function names(pods: readonly Pod[]): readonly string[] {
  return pods.map(({ metadata }) => metadata.name!)
}
