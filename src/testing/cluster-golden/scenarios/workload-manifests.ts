import type { JsonObject } from '../../../schema/declaration.js'
import type { Answered, Manifest, Until } from '../scenario.js'

/** Nothing runs it: there is no kubelet here. */
export const image = 'registry.k8s.io/e2e-test-images/agnhost:2.63.0'

const container = { name: 'c', image }

export function labelsOf(app: string): JsonObject {
  return { app }
}

export function podTemplate(app: string, spec: JsonObject = {}): JsonObject {
  return { metadata: { labels: labelsOf(app) }, spec: { containers: [container], ...spec } }
}

/** A workload, its pods labelled by its name. */
function workload(kind: string, name: string, spec: JsonObject): Manifest {
  const selector = { matchLabels: labelsOf(name) }
  return { kind, metadata: { name }, spec: { selector, template: podTemplate(name), ...spec } }
}

export function deployment(name: string, replicas: number, spec: JsonObject = {}): Manifest {
  return workload('Deployment', name, { replicas, ...spec })
}

export function replicaSet(name: string, replicas: number): Manifest {
  return workload('ReplicaSet', name, { replicas })
}

export function statefulSet(name: string, replicas: number, spec: JsonObject = {}): Manifest {
  return workload('StatefulSet', name, { serviceName: name, replicas, ...spec })
}

export function daemonSet(name: string): Manifest {
  return workload('DaemonSet', name, {})
}

export function job(name: string, spec: JsonObject = {}): Manifest {
  const template = { spec: { restartPolicy: 'Never', containers: [container] } }
  return { kind: 'Job', metadata: { name }, spec: { template, ...spec } }
}

export function pod(name: string, labels: JsonObject, spec: JsonObject = {}): Manifest {
  return { kind: 'Pod', metadata: { name, labels }, spec: { containers: [container], ...spec } }
}

export interface NodeOptions {
  readonly labels?: JsonObject
  readonly taints?: readonly JsonObject[]
}

/** One that says it is ready. */
export function node(name: string, { labels = {}, taints }: NodeOptions = {}): Manifest {
  const amounts = { cpu: '4', memory: '8Gi', pods: '110' }
  const ready = { type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'ready' }
  return {
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', ...labels } },
    spec: taints ? { taints } : {},
    status: { capacity: amounts, allocatable: amounts, conditions: [ready] },
  }
}

export const replicaSetParts = [
  'metadata.name',
  'metadata.labels',
  'metadata.annotations',
  'metadata.ownerReferences',
  'spec.replicas',
  'spec.selector',
  'status',
]

export const podParts = [
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
export function count(
  wanted: number,
  isMeant: (object: Answered) => unknown = () => true,
): (list: Answered) => boolean {
  return ({ items }) => items.filter(isMeant).length === wanted
}

/** Nothing is left of earlier revisions. */
export function settled(name: string, replicas: number): Until {
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

export function ready(path: string, replicas: number): Until {
  return {
    until: `${path} has ${replicas} ready replicas`,
    get: path,
    where: ({ status, metadata }) =>
      status.readyReplicas === replicas && status.observedGeneration === metadata.generation,
  }
}
