import type { Deployment, DeploymentCondition, DeploymentStatus } from '../../api/apps/v1/deployment.js'
import type { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import { quote } from '../../schema/quote.js'
import { parseTime } from '../../schema/values/time.js'
import { type Conditions, deploymentCondition, newCondition, withCondition, withoutCondition } from './conditions.js'
import { allReplicaSets, type ReplicaSets } from './replica-sets.js'
import { deploymentStatus, isComplete } from './status.js'

/** The largest 32-bit integer stands for no deadline. */
const noDeadline = 2 ** 31 - 1

/** In milliseconds; undefined without deadline. */
export function progressDeadline({ spec }: Deployment): number | undefined {
  const { progressDeadlineSeconds: seconds } = spec
  return seconds === undefined || seconds === noDeadline ? undefined : seconds * 1000
}

/** The status during a rollout, with the conditions Progressing and ReplicaFailure. */
export function rolloutStatus(deployment: Deployment, replicaSets: ReplicaSets, now: number): DeploymentStatus {
  const status = deploymentStatus(deployment, replicaSets, now)
  const conditions = withProgress(deployment, status, { newest: replicaSets.current, now })
  return { ...status, conditions: withFailure(conditions, replicaSets) }
}

function withProgress(
  deployment: Deployment,
  status: DeploymentStatus,
  { newest, now }: { readonly newest: ReplicaSet | undefined; readonly now: number },
): Conditions {
  const conditions = status.conditions ?? []
  if (progressDeadline(deployment) === undefined) return withoutCondition(conditions, 'Progressing')
  const known = deploymentCondition(deployment.status, 'Progressing')
  const hasNoOldPods = (status.replicas ?? 0) === (status.updatedReplicas ?? 0)
  // The rollout is complete; pods that fail afterwards do not count as lack of progress.
  if (hasNoOldPods && known?.reason === 'NewReplicaSetAvailable') return conditions
  const subject = newest
    ? `ReplicaSet ${quote(newest.metadata.name!)}`
    : `Deployment ${quote(deployment.metadata.name!)}`
  const progress = (progressing: 'True' | 'False', reason: string, message: string) =>
    newCondition({ type: 'Progressing', status: progressing, reason, message: `${subject} ${message}` }, now)
  if (isComplete(deployment, status))
    return withCondition(conditions, progress('True', 'NewReplicaSetAvailable', 'has successfully progressed.'))
  if (hasProgressed(deployment.status, status))
    return withStep(conditions, progress('True', 'ReplicaSetUpdated', 'is progressing.'))
  if (isOverdue(deployment, now))
    return withCondition(conditions, progress('False', 'ProgressDeadlineExceeded', 'has timed out progressing.'))
  return conditions
}

/** Every status change restarts the progress deadline, even if the reason stays the same. */
function withStep(conditions: Conditions, step: DeploymentCondition): Conditions {
  const known = conditions.find(({ type }) => type === 'Progressing')
  const { lastTransitionTime } = known?.status === 'True' ? known : step
  return [
    ...withoutCondition(conditions, 'Progressing'),
    { ...step, ...(lastTransitionTime && { lastTransitionTime }) },
  ]
}

/** More pods of the new template, fewer of the old ones, or more that are ready or available. */
function hasProgressed(before: DeploymentStatus, now: DeploymentStatus): boolean {
  const old = (status: DeploymentStatus) => (status.replicas ?? 0) - (status.updatedReplicas ?? 0)
  const hasMore = (count: 'updatedReplicas' | 'readyReplicas' | 'availableReplicas') =>
    (now[count] ?? 0) > (before[count] ?? 0)
  return (
    hasMore('updatedReplicas') || old(now) < old(before) || hasMore('readyReplicas') || hasMore('availableReplicas')
  )
}

function isOverdue(deployment: Deployment, now: number): boolean {
  const known = deploymentCondition(deployment.status, 'Progressing')
  if (!known || known.reason === 'NewReplicaSetAvailable') return false
  return known.reason === 'ProgressDeadlineExceeded' || deadlineOf(deployment, known) < now
}

function deadlineOf(deployment: Deployment, { lastUpdateTime }: DeploymentCondition): number {
  const deadline = progressDeadline(deployment)
  if (deadline === undefined || !lastUpdateTime) return Number.POSITIVE_INFINITY
  return parseTime(lastUpdateTime) + deadline
}

/** Milliseconds until the deadline is to be checked; undefined if it does not matter. */
export function nextProgressCheck(deployment: Deployment, now: number): number | undefined {
  const known = deploymentCondition(deployment.status, 'Progressing')
  if (!known || isComplete(deployment, deployment.status)) return undefined
  if (known.reason === 'ProgressDeadlineExceeded' || known.reason === 'NewReplicaSetAvailable') return undefined
  const deadline = deadlineOf(deployment, known)
  // Times are in whole seconds: a second later the deadline has certainly passed.
  return Number.isFinite(deadline) ? Math.max(deadline - now, 0) + 1000 : undefined
}

/** Copies the condition of a ReplicaSet that cannot create or delete pods, of the new one first. */
function withFailure(conditions: Conditions, replicaSets: ReplicaSets): Conditions {
  const candidates = replicaSets.current ? [replicaSets.current, ...replicaSets.old] : allReplicaSets(replicaSets)
  const failure = candidates
    .flatMap(({ status }) => status.conditions ?? [])
    .find(({ type }) => type === 'ReplicaFailure')
  if (!failure) return withoutCondition(conditions, 'ReplicaFailure')
  const { lastTransitionTime } = failure
  return withCondition(conditions, { ...failure, ...(lastTransitionTime && { lastUpdateTime: lastTransitionTime }) })
}
