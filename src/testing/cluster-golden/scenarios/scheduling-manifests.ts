import type { JsonObject } from '../../../schema/declaration.js'
import type { Answered, Manifest, Step, Until } from '../scenario.js'

export const image = 'registry.k8s.io/e2e-test-images/agnhost:2.63.0'

export interface NodeOptions {
  readonly labels?: JsonObject
  readonly taints?: readonly JsonObject[]
  readonly cpu?: string
  readonly memory?: string
  readonly pods?: string
  readonly unschedulable?: boolean
  /** Further resources. */
  readonly more?: JsonObject
}

export function node(name: string, options: NodeOptions = {}): Manifest {
  const { labels = {}, taints, cpu = '4', memory = '8Gi', pods = '110', unschedulable, more = {} } = options
  const amounts = { cpu, memory, pods, ...more }
  const ready = { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'ready' }
  return {
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', ...labels } },
    spec: { ...(taints && { taints }), ...(unschedulable && { unschedulable }) },
    status: { capacity: amounts, allocatable: amounts, conditions: [ready] },
  }
}

export function pod(name: string, spec: JsonObject = {}, labels?: JsonObject): Manifest {
  return {
    kind: 'Pod',
    metadata: { name, ...(labels && { labels }) },
    spec: { containers: [{ name: 'c', image }], ...spec },
  }
}

/** A pod that asks for resources. Extended ones, which have a domain, cannot be had beyond what was asked for. */
export function asking(name: string, requests: JsonObject, spec: JsonObject = {}): Manifest {
  const limits = Object.fromEntries(Object.entries(requests).filter(([resource]) => resource.includes('/')))
  return pod(name, { containers: [{ name: 'c', image, resources: { requests, limits } }], ...spec })
}

const usable: Until = {
  until: 'the nodes are usable',
  get: 'nodes',
  where: ({ items }) => items.every(({ spec }: Answered) => !spec.taints?.some(isNotReady)),
}

function isNotReady({ key }: Answered): boolean {
  return key.startsWith('node.kubernetes.io/not-ready')
}

/** Nodes that the scheduler has seen. */
export function nodes(...list: readonly Manifest[]): readonly Step[] {
  return [{ apply: list }, usable, { sleep: 0.3 }]
}

export function decided(pods: number): Until {
  return {
    until: `${pods} pods were looked at`,
    get: 'pods',
    where: ({ items }) => items.filter(isDecided).length === pods,
  }
}

function isDecided({ status }: Answered): boolean {
  return status.conditions?.some(({ type }: Answered) => type === 'PodScheduled')
}

export function placed(name: string): Until {
  return { until: 'placed', get: `pods/${name}`, where: ({ spec }) => spec.nodeName }
}

/** What became of a pod. */
export function verdict({ metadata, spec, status }: Answered): unknown {
  return {
    metadata: { name: metadata.name },
    node: spec.nodeName,
    nominated: status.nominatedNodeName,
    phase: status.phase,
    deleted: metadata.deletionTimestamp !== undefined,
    conditions: status.conditions,
  }
}

export function look(label = 'pods'): Step {
  return { record: label, get: 'pods', pick: verdict }
}

export const events: Step = { record: 'events', events: true }

export function affinity(terms?: readonly JsonObject[], preferred?: readonly JsonObject[]): JsonObject {
  const nodeAffinity = {
    ...(terms && { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } }),
    ...(preferred && { preferredDuringSchedulingIgnoredDuringExecution: preferred }),
  }
  return { affinity: { nodeAffinity } }
}

export function expression(key: string, operator: string, ...values: readonly string[]): JsonObject {
  return { key, operator, ...(values.length > 0 && { values }) }
}

export function near(kind: 'podAffinity' | 'podAntiAffinity', app: string, topologyKey: string): JsonObject {
  const term = { labelSelector: { matchLabels: { app } }, topologyKey }
  return { affinity: { [kind]: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } }
}
