import type { Pod } from '../../api/core/v1/pod.js'
import { type AffinityTerms, AffinityTermsCache } from './affinity-terms.js'
import { type ContainerHostPort, podHostPorts } from './host-ports.js'
import { nonZeroPodRequests, podResourceRequests } from './pod-requests.js'
import type { ComputeResources, NonZeroResources } from './resources.js'

/** A pod, with what the scheduler derives from it and needs again and again. Immutable, as the pod is. */
export class PodInfo {
  readonly pod: Pod
  readonly uid: string
  /** `namespace/name` */
  readonly key: string
  readonly namespace: string
  readonly labels: Readonly<Record<string, string>>
  readonly priority: number
  readonly requests: ComputeResources
  readonly nonZero: NonZeroResources
  readonly hostPorts: readonly ContainerHostPort[]
  readonly affinity: AffinityTerms

  /** @param derived from an earlier state of the pod in which the same was requested, or the cache for its affinity */
  constructor(pod: Pod, derived: PodInfo | AffinityTermsCache = new AffinityTermsCache()) {
    const { namespace = '', name, uid = '', labels = {} } = pod.metadata
    const known = derived instanceof PodInfo ? derived : undefined
    this.pod = pod
    this.uid = uid
    this.key = `${namespace}/${name}`
    this.namespace = namespace
    this.labels = labels
    this.priority = pod.spec.priority ?? 0
    this.requests = known?.requests ?? podResourceRequests(pod)
    this.nonZero = known?.nonZero ?? nonZeroPodRequests(pod, this.requests)
    this.hostPorts = known?.hostPorts ?? podHostPorts(pod.spec)
    this.affinity = derived instanceof PodInfo ? derived.affinity : derived.of(pod)
  }

  /** The pod as it will be when it is bound. */
  on(nodeName: string): PodInfo {
    const { pod } = this
    return new PodInfo({ ...pod, spec: { ...pod.spec, nodeName } }, this)
  }

  /** The pod after an update. */
  updated(pod: Pod, affinityTerms?: AffinityTermsCache): PodInfo {
    const { pod: before } = this
    const hasSameRequests =
      pod.metadata.uid === this.uid &&
      pod.metadata.generation !== undefined &&
      pod.metadata.generation === before.metadata.generation &&
      pod.status?.containerStatuses === before.status?.containerStatuses
    return new PodInfo(pod, hasSameRequests ? this : affinityTerms)
  }
}
