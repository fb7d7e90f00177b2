import type { Deployment, DeploymentCondition, DeploymentStatus } from '../../api/apps/v1/deployment.js'
import type { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import { quote } from '../../schema/quote.js'
import { parseTime } from '../../schema/values/time.js'
import { type Conditions, conditionNow, conditionOf, withCondition, withoutCondition } from './conditions.js'
import { allOf, type ReplicaSets } from './replica-sets.js'
import { deploymentStatus, isComplete } from './status.js'

/** The largest number that fits: no deadline. */
const noDeadline = 2 ** 31 - 1

/** In milliseconds; undefined if there is none. */
export function progressDeadline({ spec }: Deployment): number | undefined {
  const { progressDeadlineSeconds: seconds } = spec
  return seconds === undefined || seconds === noDeadline ? undefined : seconds * 1000
}

/** The status in the middle of a rollout, which tells of its progress and of what keeps it from any. */
export function rolloutStatus(deployment: Deployment, replicaSets: ReplicaSets, now: number): DeploymentStatus {
  const status = deploymentStatus(deployment, replicaSets, now)
  const conditions = withProgress(deployment, status, { newest: replicaSets.current, now })
  return { ...status, conditions: withFailure(conditions, replicaSets) }
}

interface Circumstances {
  readonly newest: ReplicaSet | undefined
  readonly now: number
}

function withProgress(deployment: Deployment, status: DeploymentStatus, { newest, now }: Circumstances): Conditions {
  const conditions = status.conditions ?? []
  if (progressDeadline(deployment) === undefined) return withoutCondition(conditions, 'Progressing')
  const known = conditionOf(deployment.status, 'Progressing')
  const nothingOldIsLeft = (status.replicas ?? 0) === (status.updatedReplicas ?? 0)
  // The rollout is over; what happens to single pods since then is no matter of progress.
  if (nothingOldIsLeft && known?.reason === 'NewReplicaSetAvailable') return conditions
  const who = newest ? `ReplicaSet ${quote(newest.metadata.name!)}` : `Deployment ${quote(deployment.metadata.name!)}`
  const said = (progressing: 'True' | 'False', reason: string, message: string) =>
    conditionNow({ type: 'Progressing', status: progressing, reason, message: `${who} ${message}` }, now)
  if (isComplete(deployment, status))
    return withCondition(conditions, said('True', 'NewReplicaSetAvailable', 'has successfully progressed.'))
  if (hasProgressed(deployment.status, status))
    return withStep(conditions, said('True', 'ReplicaSetUpdated', 'is progressing.'))
  if (isOverdue(deployment, now))
    return withCondition(conditions, said('False', 'ProgressDeadlineExceeded', 'has timed out progressing.'))
  return conditions
}

/** Each step counts, also one for the same reason as the last: from then on the deadline is measured. */
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
  const known = conditionOf(deployment.status, 'Progressing')
  if (!known || known.reason === 'NewReplicaSetAvailable') return false
  return known.reason === 'ProgressDeadlineExceeded' || deadlineOf(deployment, known) < now
}

function deadlineOf(deployment: Deployment, { lastUpdateTime }: DeploymentCondition): number {
  const deadline = progressDeadline(deployment)
  if (deadline === undefined || !lastUpdateTime) return Number.POSITIVE_INFINITY
  return parseTime(lastUpdateTime) + deadline
}

/** When to look whether the deadline has passed, in milliseconds from now; undefined if that is of no interest. */
export function nextProgressCheck(deployment: Deployment, now: number): number | undefined {
  const known = conditionOf(deployment.status, 'Progressing')
  if (!known || isComplete(deployment, deployment.status)) return undefined
  if (known.reason === 'ProgressDeadlineExceeded' || known.reason === 'NewReplicaSetAvailable') return undefined
  const deadline = deadlineOf(deployment, known)
  // Times are written in whole seconds, so a second later it has passed for sure.
  return Number.isFinite(deadline) ? Math.max(deadline - now, 0) + 1000 : undefined
}

/** What keeps the new ReplicaSet from making pods, or else an old one. */
function withFailure(conditions: Conditions, replicaSets: ReplicaSets): Conditions {
  const candidates = replicaSets.current ? [replicaSets.current, ...replicaSets.old] : allOf(replicaSets)
  const failure = candidates
    .flatMap(({ status }) => status.conditions ?? [])
    .find(({ type }) => type === 'ReplicaFailure')
  if (!failure) return withoutCondition(conditions, 'ReplicaFailure')
  const { lastTransitionTime } = failure
  return withCondition(conditions, { ...failure, ...(lastTransitionTime && { lastUpdateTime: lastTransitionTime }) })
}
