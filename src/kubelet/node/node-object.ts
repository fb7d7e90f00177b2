import type { NodeStatus } from '../../api/core/v1/node/status.js'
import type { Node } from '../../api/core/v1/node.js'
import type { Taint } from '../../api/core/v1/taint.js'
import type { Given } from '../../client/resource-client.js'
import type { HostFacts } from './node-host.js'

export interface RegistrationOptions {
  /** `--node-labels`. They override the kubelet's own labels. */
  readonly labels?: Readonly<Record<string, string>> | undefined
  /** `--register-with-taints` */
  readonly taints?: readonly Taint[] | undefined
  /** `--register-schedulable`. Defaults to true. */
  readonly isSchedulable?: boolean | undefined
  readonly providerId?: string | undefined
  /** Hostname label. Defaults to the node name. */
  readonly hostname?: string | undefined
}

export interface Registration extends RegistrationOptions {
  readonly nodeName: string
  readonly facts: HostFacts
}

export const attachAnnotation = 'volumes.kubernetes.io/controller-managed-attach-detach'
const unschedulable: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }

/** Returns the Node to create. */
export function newNode(registration: Registration, status: NodeStatus): Given<Node> {
  const { nodeName, providerId, isSchedulable = true } = registration
  const taints = taintsOf(registration)
  return {
    metadata: { name: nodeName, labels: registrationLabels(registration), annotations: { [attachAnnotation]: 'true' } },
    spec: {
      ...(providerId && { providerID: providerId }),
      ...(!isSchedulable && { unschedulable: true }),
      ...(taints.length > 0 && { taints }),
    },
    status,
  }
}

export function registrationLabels({
  nodeName,
  facts,
  hostname,
  labels,
}: Registration): Readonly<Record<string, string>> {
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

/** Adds the taint to an unschedulable node at once: the controller would add it too late for the first pods. */
function taintsOf({ taints = [], isSchedulable = true }: Registration): readonly Taint[] {
  const isTainted = taints.some(({ key, effect }) => key === unschedulable.key && effect === unschedulable.effect)
  return isSchedulable || isTainted ? taints : [...taints, unschedulable]
}

/** Labels that the kubelet updates on an existing Node. All others are left alone. */
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

/** Updates the kubelet's labels and annotations of an existing Node. */
export function withKubeletLabels(node: Node, registration: Registration): Node {
  const { labels = {}, annotations = {} } = node.metadata
  const own = Object.entries(registrationLabels(registration)).filter(
    ([key, value]) => keptLabels.has(key) && value !== '',
  )
  const metadata = {
    ...node.metadata,
    labels: { ...labels, ...Object.fromEntries(own) },
    annotations: { ...annotations, [attachAnnotation]: 'true' },
  }
  return { ...node, metadata }
}

/** Restores the two labels that every Node must have. */
export function withRequiredLabels(node: Node, { architecture, operatingSystem }: HostFacts): Node {
  const { labels = {} } = node.metadata
  if (labels['kubernetes.io/os'] === operatingSystem && labels['kubernetes.io/arch'] === architecture) return node
  const required = { 'kubernetes.io/os': operatingSystem, 'kubernetes.io/arch': architecture }
  return { ...node, metadata: { ...node.metadata, labels: { ...labels, ...required } } }
}
