import type { DeploymentCondition, DeploymentConditionType, DeploymentStatus } from '../../api/apps/v1/deployment.js'
import { formatTime } from '../../schema/values/time.js'

export type Conditions = readonly DeploymentCondition[]

/** A condition without its times. */
export interface ConditionUpdate {
  readonly type: DeploymentConditionType
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason: string
  readonly message: string
}

export function deploymentCondition({ conditions }: DeploymentStatus, type: DeploymentConditionType) {
  return conditions?.find((condition) => condition.type === type)
}

export function newCondition(update: ConditionUpdate, now: number): DeploymentCondition {
  const time = formatTime(now)
  return { ...update, lastUpdateTime: time, lastTransitionTime: time }
}

/** Keeps a known condition if status and reason are the same, and its transition time if only the status is. */
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
