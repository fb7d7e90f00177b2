import type { DeploymentCondition, DeploymentConditionType, DeploymentStatus } from '../../api/apps/v1/deployment.js'
import { formatTime } from '../../schema/values/time.js'

export type Conditions = readonly DeploymentCondition[]

export interface Said {
  readonly type: DeploymentConditionType
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason: string
  readonly message: string
}

export function conditionOf({ conditions }: DeploymentStatus, type: DeploymentConditionType) {
  return conditions?.find((condition) => condition.type === type)
}

/** A condition that has just come to be. */
export function conditionNow(said: Said, now: number): DeploymentCondition {
  const time = formatTime(now)
  return { ...said, lastUpdateTime: time, lastTransitionTime: time }
}

/** What is known already, for the same reason, stays as it was. When it became true or false is kept for as long as it is. */
export function withCondition(conditions: Conditions, condition: DeploymentCondition): Conditions {
  const known = conditions.find(({ type }) => type === condition.type)
  if (!known) return [...conditions, condition]
  if (known.status !== condition.status) return [...withoutCondition(conditions, condition.type), condition]
  if (known.reason === condition.reason) return conditions
  const { lastTransitionTime } = known
  return [
    ...withoutCondition(conditions, condition.type),
    { ...condition, ...(lastTransitionTime && { lastTransitionTime }) },
  ]
}

export function withoutCondition(conditions: Conditions, type: DeploymentConditionType): Conditions {
  return conditions.filter((condition) => condition.type !== type)
}
