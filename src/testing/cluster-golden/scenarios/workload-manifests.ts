import type { JsonObject } from '../../../schema/declaration.js'
import type { ResponseBody, ScenarioManifest, UntilStep } from '../scenario.js'

/** Nothing runs it: there is no kubelet here. */
export const workloadImage = 'registry.k8s.io/e2e-test-images/agnhost:2.63.0'

const container = { name: 'c', image: workloadImage }

export function labelsOf(app: string): JsonObject {
  return { app }
}

export function podTemplate(app: string, spec: JsonObject = {}): JsonObject {
  return { metadata: { labels: labelsOf(app) }, spec: { containers: [container], ...spec } }
}

/** A workload, its pods labelled by its name. */
function workload(kind: string, name: string, spec: JsonObject): ScenarioManifest {
  const selector = { matchLabels: labelsOf(name) }
  return { kind, metadata: { name }, spec: { selector, template: podTemplate(name), ...spec } }
}

export function deploymentManifest(name: string, replicas: number, spec: JsonObject = {}): ScenarioManifest {
  return workload('Deployment', name, { replicas, ...spec })
}

export function replicaSet(name: string, replicas: number): ScenarioManifest {
  return workload('ReplicaSet', name, { replicas })
}

export function statefulSet(name: string, replicas: number, spec: JsonObject = {}): ScenarioManifest {
  return workload('StatefulSet', name, { serviceName: name, replicas, ...spec })
}

export function daemonSet(name: string): ScenarioManifest {
  return workload('DaemonSet', name, {})
}

export function job(name: string, spec: JsonObject = {}): ScenarioManifest {
  const template = { spec: { restartPolicy: 'Never', containers: [container] } }
  return { kind: 'Job', metadata: { name }, spec: { template, ...spec } }
}

export function workloadPod(name: string, labels: JsonObject, spec: JsonObject = {}): ScenarioManifest {
  return { kind: 'Pod', metadata: { name, labels }, spec: { containers: [container], ...spec } }
}

export interface WorkloadNodeOptions {
  readonly labels?: JsonObject
  readonly taints?: readonly JsonObject[]
}

/** One that says it is ready. */
export function workloadNode(name: string, { labels = {}, taints }: WorkloadNodeOptions = {}): ScenarioManifest {
  const amounts = { cpu: '4', memory: '8Gi', pods: '110' }
  const ready = { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'ready' }
  return {
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', ...labels } },
    spec: taints ? { taints } : {},
    status: { capacity: amounts, allocatable: amounts, conditions: [ready] },
  }
}

export const replicaSetFields = [
  'metadata.name',
  'metadata.labels',
  'metadata.annotations',
  'metadata.ownerReferences',
  'spec.replicas',
  'spec.selector',
  'status',
]

export const podFields = [
  'metadata.name',
  'metadata.generateName',
  'metadata.labels',
  'metadata.annotations',
  'metadata.ownerReferences',
  'metadata.finalizers',
  'spec.hostname',
  'spec.subdomain',
  'status.phase',
]

/** A list has so many of those that are meant. */
export function untilCount(
  wanted: number,
  isMeant: (object: ResponseBody) => unknown = () => true,
): (list: ResponseBody) => boolean {
  return ({ items }) => items.filter(isMeant).length === wanted
}

/** Nothing is left of earlier revisions. */
export function untilSettled(name: string, replicas: number): UntilStep {
  return {
    until: `${name} has ${replicas} available replicas and nothing else`,
    get: `deployments/${name}`,
    where: ({ status, metadata }) =>
      status.observedGeneration === metadata.generation &&
      status.availableReplicas === replicas &&
      status.updatedReplicas === replicas &&
      status.replicas === replicas,
  }
}

export function untilReady(path: string, replicas: number): UntilStep {
  return {
    until: `${path} has ${replicas} ready replicas`,
    get: path,
    where: ({ status, metadata }) =>
      status.readyReplicas === replicas && status.observedGeneration === metadata.generation,
  }
}
