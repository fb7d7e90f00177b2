import type { JsonObject } from '../../../schema/declaration.js'
import type { ResponseBody, ScenarioManifest, ScenarioStep, UntilStep } from '../scenario.js'

export const schedulingImage = 'registry.k8s.io/e2e-test-images/agnhost:2.63.0'

export interface SchedulingNodeOptions {
  readonly labels?: JsonObject
  readonly taints?: readonly JsonObject[]
  readonly cpu?: string
  readonly memory?: string
  readonly pods?: string
  readonly unschedulable?: boolean
  /** Further resources. */
  readonly more?: JsonObject
}

export function schedulingNode(name: string, options: SchedulingNodeOptions = {}): ScenarioManifest {
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

export function scheduledPod(name: string, spec: JsonObject = {}, labels?: JsonObject): ScenarioManifest {
  return {
    kind: 'Pod',
    metadata: { name, ...(labels && { labels }) },
    spec: { containers: [{ name: 'c', image: schedulingImage }], ...spec },
  }
}

/** A pod that asks for resources. Extended ones, which have a domain, cannot be had beyond what was asked for. */
export function podWithRequests(name: string, requests: JsonObject, spec: JsonObject = {}): ScenarioManifest {
  const limits = Object.fromEntries(Object.entries(requests).filter(([resource]) => resource.includes('/')))
  return scheduledPod(name, {
    containers: [{ name: 'c', image: schedulingImage, resources: { requests, limits } }],
    ...spec,
  })
}

const usable: UntilStep = {
  until: 'the nodes are usable',
  get: 'nodes',
  where: ({ items }) => items.every(({ spec }: ResponseBody) => !spec.taints?.some(isNotReady)),
}

function isNotReady({ key }: ResponseBody): boolean {
  return key.startsWith('node.kubernetes.io/not-ready')
}

/** Nodes that the scheduler has seen. */
export function applyNodes(...list: readonly ScenarioManifest[]): readonly ScenarioStep[] {
  return [{ apply: list }, usable, { sleep: 0.3 }]
}

export function untilAllDecided(pods: number): UntilStep {
  return {
    until: `${pods} pods were looked at`,
    get: 'pods',
    where: ({ items }) => items.filter(isDecided).length === pods,
  }
}

function isDecided({ status }: ResponseBody): boolean {
  return status.conditions?.some(({ type }: ResponseBody) => type === 'PodScheduled')
}

export function untilScheduled(name: string): UntilStep {
  return { until: 'placed', get: `pods/${name}`, where: ({ spec }) => spec.nodeName }
}

/** What became of a pod. */
export function schedulingResult({ metadata, spec, status }: ResponseBody): unknown {
  return {
    metadata: { name: metadata.name },
    node: spec.nodeName,
    nominated: status.nominatedNodeName,
    phase: status.phase,
    deleted: metadata.deletionTimestamp !== undefined,
    conditions: status.conditions,
  }
}

export function recordPods(label = 'pods'): ScenarioStep {
  return { record: label, get: 'pods', pick: schedulingResult }
}

export const watchEvents: ScenarioStep = { record: 'events', events: true }

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

export function podAffinityTo(kind: 'podAffinity' | 'podAntiAffinity', app: string, topologyKey: string): JsonObject {
  const term = { labelSelector: { matchLabels: { app } }, topologyKey }
  return { affinity: { [kind]: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } }
}
