import type { Pod } from '../../api/core/v1/pod.js'
import { type AffinityTerms, podAffinityTerms } from './affinity-terms.js'
import { type ContainerHostPort, podHostPorts } from './host-ports.js'
import { nonZeroPodRequests, podResourceRequests } from './pod-requests.js'
import type { NonZeroResources, ResourceAmounts } from './resources.js'

/** A pod, and what the scheduler asks about it again and again, worked out once. Immutable, as the pod is. */
export class PodInfo {
  readonly pod: Pod
  readonly uid: string
  /** `namespace/name` */
  readonly key: string
  readonly namespace: string
  readonly labels: Readonly<Record<string, string>>
  readonly priority: number
  readonly requests: ResourceAmounts
  readonly nonZero: NonZeroResources
  /** Ports of the node that it wants for itself. */
  readonly hostPorts: readonly ContainerHostPort[]
  readonly affinity: AffinityTerms

  /** @param known the same pod as it was before, if what it asks for has not changed since: that is not worked out again */
  constructor(pod: Pod, known?: PodInfo) {
    const { namespace = '', name, uid = '', labels = {} } = pod.metadata
    this.pod = pod
    this.uid = uid
    this.key = `${namespace}/${name}`
    this.namespace = namespace
    this.labels = labels
    this.priority = pod.spec.priority ?? 0
    this.requests = known?.requests ?? podResourceRequests(pod)
    this.nonZero = known?.nonZero ?? nonZeroPodRequests(pod, this.requests)
    this.hostPorts = known?.hostPorts ?? podHostPorts(pod.spec)
    this.affinity = known?.affinity ?? podAffinityTerms(pod)
  }

  /** As it will be once it is bound. */
  on(nodeName: string): PodInfo {
    const { pod } = this
    return new PodInfo({ ...pod, spec: { ...pod.spec, nodeName } }, this)
  }

  /** As the server tells of it now. */
  updated(pod: Pod): PodInfo {
    const { pod: before } = this
    const isSame =
      pod.metadata.uid === this.uid &&
      pod.metadata.generation !== undefined &&
      pod.metadata.generation === before.metadata.generation &&
      pod.status?.containerStatuses === before.status?.containerStatuses
    return isSame ? new PodInfo(pod, this) : new PodInfo(pod)
  }
}
