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

/** Pods of this class, or from files, are what the node itself needs. */
const nodeCritical = 'system-node-critical'
const systemCriticalPriority = 2_000_000_000

/**
 * Who is killed first when the node runs out of memory (`oom_score_adj`): the higher, the sooner. In between, the more a container asks
 * for, the safer it is as long as it uses no more than that.
 */
export function oomScore(pod: Pod, container: Container, memory: number): number {
  if (isNodeCritical(pod)) return ofGuaranteed
  const qos = qosClassOf(pod.spec)
  if (qos === 'Guaranteed') return ofGuaranteed
  if (qos === 'BestEffort') return ofBestEffort
  const share = unclaimedShare(pod.spec)
  const own = requested(container) + share
  // A sidecar must not be killed before the containers that it is for.
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

/** What a pod asks for as a whole and none of its containers for itself belongs to all of them in equal parts. */
function unclaimedShare(spec: PodSpec): number {
  const whole = Quantity.parse(spec.resources?.requests?.memory ?? '0').value()
  if (whole === 0) return 0
  const claimed = containerTotals(spec, 'requests').get('memory')?.value() ?? 0
  return Math.trunc((whole - claimed) / (spec.containers.length + (spec.initContainers?.length ?? 0)))
}
