import type {
  PodFailurePolicy,
  PodFailurePolicyAction,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyRule,
} from '../../api/batch/v1/job/pod-failure-policy.js'
import type { ContainerStatus } from '../../api/core/v1/container/status.js'
import type { Pod } from '../../api/core/v1/pod.js'

/** What a job is to make of a pod that failed. */
export interface Judgement {
  /** None if no rule speaks of it: then it counts as any failure does. */
  readonly action?: PodFailurePolicyAction
  /** Why, in words, where the whole job fails of it. */
  readonly message?: string
}

/** The first rule that fits decides. */
export function judgeFailure(policy: PodFailurePolicy | undefined, pod: Pod): Judgement {
  for (const [position, rule] of (policy?.rules ?? []).entries()) {
    const finding = findingOf(rule, pod)
    if (finding === undefined) continue
    const { action } = rule
    return action === 'FailJob'
      ? { action, message: `${finding} matching ${action} rule at index ${position}` }
      : { action }
  }
  return {}
}

/** Whether a failure uses up one of the attempts that the job, or the index, has. */
export function countsAsFailure(policy: PodFailurePolicy | undefined, pod: Pod): boolean {
  return judgeFailure(policy, pod).action !== 'Ignore'
}

/** What it is in the pod that a rule speaks of. */
function findingOf({ onExitCodes, onPodConditions }: PodFailurePolicyRule, pod: Pod): string | undefined {
  const { namespace, name } = pod.metadata
  if (onExitCodes) {
    const container = containerWith(onExitCodes, pod)
    const code = container?.state?.terminated?.exitCode
    return container && `Container ${container.name} for pod ${namespace}/${name} failed with exit code ${code}`
  }
  const condition = pod.status.conditions?.find((each) =>
    onPodConditions?.some(({ type, status = 'True' }) => each.type === type && each.status === status),
  )
  return condition && `Pod ${namespace}/${name} has condition ${condition.type}`
}

function containerWith(
  requirement: PodFailurePolicyOnExitCodesRequirement,
  { status }: Pod,
): ContainerStatus | undefined {
  const containers = [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? [])]
  return containers.find(({ name, state }) => {
    const isMeant = requirement.containerName === undefined || requirement.containerName === name
    const code = state?.terminated?.exitCode ?? 0
    return isMeant && code !== 0 && fits(code, requirement)
  })
}

function fits(code: number, { operator, values }: PodFailurePolicyOnExitCodesRequirement): boolean {
  return values.includes(code) === (operator === 'In')
}
