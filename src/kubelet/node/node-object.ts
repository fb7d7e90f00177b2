import type { NodeStatus } from '../../api/core/v1/node/status.js'
import type { Node } from '../../api/core/v1/node.js'
import type { Taint } from '../../api/core/v1/taint.js'
import type { Given } from '../../client/resource-client.js'
import type { HostFacts } from './node-host.js'

export interface RegistrationOptions {
  /** `--node-labels`: they win over the kubelet's own. */
  readonly labels?: Readonly<Record<string, string>> | undefined
  /** `--register-with-taints` */
  readonly taints?: readonly Taint[] | undefined
  /** `--register-schedulable`: true unless told. */
  readonly isSchedulable?: boolean | undefined
  readonly providerId?: string | undefined
  /** The name of the host; the node's own unless told. */
  readonly hostname?: string | undefined
}

export interface Registration extends RegistrationOptions {
  readonly nodeName: string
  readonly facts: HostFacts
}

export const attachAnnotation = 'volumes.kubernetes.io/controller-managed-attach-detach'
const unschedulable: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }

/** The Node as it introduces itself. */
export function newNode(registration: Registration, status: NodeStatus): Given<Node> {
  const { nodeName, providerId, isSchedulable = true } = registration
  const taints = taintsOf(registration)
  return {
    metadata: { name: nodeName, labels: nodeLabels(registration), annotations: { [attachAnnotation]: 'true' } },
    spec: {
      ...(providerId && { providerID: providerId }),
      ...(!isSchedulable && { unschedulable: true }),
      ...(taints.length > 0 && { taints }),
    },
    status,
  }
}

export function nodeLabels({ nodeName, facts, hostname, labels }: Registration): Readonly<Record<string, string>> {
  const { architecture, operatingSystem } = facts
  return {
    'beta.kubernetes.io/arch': architecture,
    'beta.kubernetes.io/os': operatingSystem,
    'kubernetes.io/arch': architecture,
    'kubernetes.io/hostname': hostname ?? nodeName,
    'kubernetes.io/os': operatingSystem,
    ...labels,
  }
}

/** One that takes no pods has the taint from the beginning: the controller that would add it comes too late for the first ones. */
function taintsOf({ taints = [], isSchedulable = true }: Registration): readonly Taint[] {
  const isTainted = taints.some(({ key, effect }) => key === unschedulable.key && effect === unschedulable.effect)
  return isSchedulable || isTainted ? taints : [...taints, unschedulable]
}

/** What the kubelet says of a Node that was there before it. All other labels are whatever somebody made them. */
const keptLabels: ReadonlySet<string> = new Set([
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'node.kubernetes.io/instance-type',
  'beta.kubernetes.io/instance-type',
])

/** An existing Node with the labels and annotations that are the kubelet's to say. */
export function withKubeletLabels(node: Node, registration: Registration): Node {
  const { labels = {}, annotations = {} } = node.metadata
  const own = Object.entries(nodeLabels(registration)).filter(([key, value]) => keptLabels.has(key) && value !== '')
  const metadata = {
    ...node.metadata,
    labels: { ...labels, ...Object.fromEntries(own) },
    annotations: { ...annotations, [attachAnnotation]: 'true' },
  }
  return { ...node, metadata }
}

/** Two labels that are put back whenever they are gone or wrong. */
export function withRequiredLabels(node: Node, { architecture, operatingSystem }: HostFacts): Node {
  const { labels = {} } = node.metadata
  if (labels['kubernetes.io/os'] === operatingSystem && labels['kubernetes.io/arch'] === architecture) return node
  const required = { 'kubernetes.io/os': operatingSystem, 'kubernetes.io/arch': architecture }
  return { ...node, metadata: { ...node.metadata, labels: { ...labels, ...required } } }
}
