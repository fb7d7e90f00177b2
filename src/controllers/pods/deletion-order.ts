import type { Pod } from '../../api/core/v1/pod.js'
import { parseTime } from '../../schema/values/time.js'
import { isActive, isReady, readySince } from './readiness.js'

/**
 * The `count` pods to delete, those whose loss matters least first. `related` are all pods that serve the same purpose, also those of other
 * ReplicaSets of the same Deployment: a node that runs several of them loses one first.
 */
export function podsToDelete(
  pods: readonly Pod[],
  { count, related, now }: { readonly count: number; readonly related: Iterable<Pod>; readonly now: number },
): readonly Pod[] {
  if (count >= pods.length) return pods
  const onNode = activePodsByNode(related)
  const candidates = pods.map((pod) => candidate(pod, onNode.get(pod.spec.nodeName ?? '') ?? 0))
  return candidates
    .sort((left, right) => compareLoss(left, right, now))
    .slice(0, count)
    .map(({ pod }) => pod)
}

function activePodsByNode(pods: Iterable<Pod>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const pod of pods) {
    if (!isActive(pod)) continue
    const node = pod.spec.nodeName ?? ''
    counts.set(node, (counts.get(node) ?? 0) + 1)
  }
  return counts
}

/** The properties by which pods are compared; read once, compared often. */
interface Candidate {
  readonly pod: Pod
  readonly isAssigned: boolean
  readonly phase: number
  readonly isReady: boolean
  readonly deletionCost: number
  /** How many related pods are on its node. */
  readonly relatedOnNode: number
  readonly readySince: number
  readonly restarts: number
  readonly sidecarRestarts: number
  readonly createdAt: number
}

function candidate(pod: Pod, relatedOnNode: number): Candidate {
  return {
    pod,
    isAssigned: (pod.spec.nodeName ?? '') !== '',
    phase: phases.indexOf(pod.status.phase ?? 'Pending'),
    isReady: isReady(pod),
    deletionCost: deletionCost(pod),
    relatedOnNode,
    readySince: readySince(pod) ?? never,
    createdAt: pod.metadata.creationTimestamp ? parseTime(pod.metadata.creationTimestamp) : never,
    ...mostRestarts(pod),
  }
}

/** Pods in the first phase are deleted first. */
const phases: readonly string[] = ['Pending', 'Unknown', 'Running']

/** An unknown time counts as the latest. */
const never = Number.POSITIVE_INFINITY

/** Negative if `left` is deleted first. The first difference decides. */
function compareLoss(left: Candidate, right: Candidate, now: number): number {
  return (
    Number(left.isAssigned) - Number(right.isAssigned) ||
    left.phase - right.phase ||
    Number(left.isReady) - Number(right.isReady) ||
    left.deletionCost - right.deletionCost ||
    right.relatedOnNode - left.relatedOnNode ||
    (left.isReady ? compareAge(left, right, { since: 'readySince', now }) : 0) ||
    right.restarts - left.restarts ||
    right.sidecarRestarts - left.sidecarRestarts ||
    compareAge(left, right, { since: 'createdAt', now })
  )
}

/**
 * The younger pod is deleted first. Ages are compared by their order of magnitude; within the same one the random uid decides, so that not
 * always the same failure domain loses its pods.
 */
function compareAge(
  left: Candidate,
  right: Candidate,
  { since, now }: { readonly since: 'readySince' | 'createdAt'; readonly now: number },
): number {
  if (left[since] === right[since]) return 0
  if (left[since] === never || right[since] === never) return left[since] === never ? -1 : 1
  return magnitude(now - left[since]) - magnitude(now - right[since]) || compareUid(left.pod, right.pod)
}

/** The integer part of the binary logarithm of an age in nanoseconds. */
function magnitude(milliseconds: number): number {
  return milliseconds > 0 ? Math.floor(Math.log2(milliseconds * 1e6)) : -1
}

function compareUid(left: Pod, right: Pod): number {
  return left.metadata.uid! < right.metadata.uid! ? -1 : 1
}

const deletionCostAnnotation = 'controller.kubernetes.io/pod-deletion-cost'
const wholeNumber = /^(0|-?[1-9][0-9]*)$/

/** The value of the annotation; 0 if it is absent or not a 32-bit integer. */
function deletionCost({ metadata }: Pod): number {
  const text = metadata.annotations?.[deletionCostAnnotation] ?? ''
  const cost = wholeNumber.test(text) ? Number(text) : 0
  return Math.abs(cost) < 2 ** 31 || cost === -(2 ** 31) ? cost : 0
}

/** The restarts of the container, and of the sidecar, that restarted most often. */
function mostRestarts({ spec, status }: Pod): Pick<Candidate, 'restarts' | 'sidecarRestarts'> {
  const sidecars = new Set(
    spec.initContainers?.filter((each) => each.restartPolicy === 'Always').map(({ name }) => name),
  )
  const counts = (status.containerStatuses ?? []).map(({ restartCount }) => restartCount)
  const ofSidecars = (status.initContainerStatuses ?? []).filter(({ name }) => sidecars.has(name))
  return {
    restarts: Math.max(0, ...counts),
    sidecarRestarts: Math.max(0, ...ofSidecars.map(({ restartCount }) => restartCount)),
  }
}
