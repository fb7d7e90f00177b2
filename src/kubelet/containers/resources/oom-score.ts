import type { Container } from '../../../api/core/v1/container.js'
import { qosClassOf } from '../../../api/core/v1/pod/qos.js'
import { containerTotals, isSidecar } from '../../../api/core/v1/pod/resources.js'
import type { PodSpec } from '../../../api/core/v1/pod/spec.js'
import type { Pod } from '../../../api/core/v1/pod.js'
import { Quantity } from '../../../schema/values/quantity.js'
import { isMirrorPod, isStaticPod } from '../../static/pod-source.js'

const ofGuaranteed = -997
const ofBestEffort = 1000
const lowestOfBurstable = 1000 + ofGuaranteed

/** Static pods and pods of this priority class are critical for the node. */
const nodeCritical = 'system-node-critical'
const systemCriticalPriority = 2_000_000_000

/**
 * Returns the `oom_score_adj` of a container. Higher scores are killed first. For burstable pods, a larger memory request means a lower
 * score.
 */
export function oomScore(pod: Pod, container: Container, memory: number): number {
  if (isNodeCritical(pod)) return ofGuaranteed
  const qos = qosClassOf(pod.spec)
  if (qos === 'Guaranteed') return ofGuaranteed
  if (qos === 'BestEffort') return ofBestEffort
  const share = unclaimedShare(pod.spec)
  const own = requested(container) + share
  // A sidecar must not be killed before the main containers.
  const counted = isSidecarOf(pod.spec, container) ? Math.max(own, leastRequest(pod.spec) + share) : own
  const score = 1000 - Math.trunc((1000 * counted) / memory)
  return Math.min(Math.max(score, lowestOfBurstable), ofBestEffort - 1)
}

function isNodeCritical(pod: Pod): boolean {
  const { priority = 0, priorityClassName } = pod.spec
  const isCritical = isStaticPod(pod) || isMirrorPod(pod) || priority >= systemCriticalPriority
  return isCritical && priorityClassName === nodeCritical
}

function requested({ resources }: Container): number {
  return Quantity.parse(resources?.requests?.memory ?? '0').value()
}

function isSidecarOf({ initContainers = [] }: PodSpec, container: Container): boolean {
  return isSidecar(container) && initContainers.some(({ name }) => name === container.name)
}

function leastRequest({ containers }: PodSpec): number {
  return Math.min(...containers.map(requested))
}

/** Splits the part of the pod-level request that no container claims equally among all containers. */
function unclaimedShare(spec: PodSpec): number {
  const whole = Quantity.parse(spec.resources?.requests?.memory ?? '0').value()
  if (whole === 0) return 0
  const claimed = containerTotals(spec, 'requests').get('memory')?.value() ?? 0
  return Math.trunc((whole - claimed) / (spec.containers.length + (spec.initContainers?.length ?? 0)))
}
