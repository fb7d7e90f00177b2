import { forbidden, tooManyRequests } from '../../../api/errors.js'
import { cause } from '../../../api/failure.js'
import type { Condition } from '../../../api/meta/v1/condition.js'
import type { PodDisruptionBudget } from '../../../api/policy/v1/pod-disruption-budget.js'

type Budget = PodDisruptionBudget

/** Upper bound of evicted pods that the disruption controller has not confirmed yet. */
const maximumUnconfirmed = 2000

/** Returns the budget after one more eviction. Throws if it does not allow one. */
export function recordDisruption(budget: Budget, podName: string, time: string): Budget {
  const { status } = budget
  checkUsable(budget)
  if (status.disruptionsAllowed === 0) throw exhausted(budget)
  const disruptionsAllowed = status.disruptionsAllowed! - 1
  const disruptedPods = { ...status.disruptedPods, [podName]: time }
  const spent = { ...budget, status: { ...status, disruptedPods, disruptionsAllowed } }
  return disruptionsAllowed === 0 ? withoutAllowance(spent, time) : spent
}

function checkUsable({ metadata, status }: Budget): void {
  const name = metadata.name!
  const resource = { group: 'policy', resource: 'poddisruptionbudget' }
  if ((status.observedGeneration ?? 0) < (metadata.generation ?? 0))
    throw evictionDenied(`The disruption budget ${name} is still being processed by the server.`, 10)
  if ((status.disruptionsAllowed ?? 0) < 0) throw forbidden(resource, name, 'pdb disruptions allowed is negative')
  if (Object.keys(status.disruptedPods ?? {}).length > maximumUnconfirmed)
    throw forbidden(resource, name, 'DisruptedPods map too big - too many evictions not confirmed by PDB controller')
}

function exhausted({ metadata, status }: Budget): Error {
  const { desiredHealthy = 0, currentHealthy = 0, conditions = [] } = status
  const failed = conditions.find(
    ({ type, status: holds, reason }) => type === allowed && holds === 'False' && reason === 'SyncFailed',
  )
  if (failed)
    return evictionDenied(
      `The disruption budget ${metadata.name} does not allow evicting pods currently because it failed sync: ${failed.message}`,
    )
  return evictionDenied(
    `The disruption budget ${metadata.name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`,
  )
}

function evictionDenied(why: string, retryAfterSeconds = 0): Error {
  const message = "Cannot evict pod as it would violate the pod's disruption budget."
  return tooManyRequests(message, retryAfterSeconds, [cause('DisruptionBudget', why)])
}

const allowed = 'DisruptionAllowed'

function withoutAllowance(budget: Budget, time: string): Budget {
  const { conditions = [], observedGeneration = 0 } = budget.status
  const before = conditions.find(({ type }) => type === allowed)
  const condition: Condition = {
    type: allowed,
    status: 'False',
    observedGeneration,
    lastTransitionTime: before?.status === 'False' ? before.lastTransitionTime : time,
    reason: 'InsufficientPods',
    message: '',
  }
  const others = conditions.filter((one) => one !== before)
  return { ...budget, status: { ...budget.status, conditions: [...others, condition] } }
}
