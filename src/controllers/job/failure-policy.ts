import type {
  PodFailurePolicy,
  PodFailurePolicyAction,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyRule,
} from '../../api/batch/v1/job/pod-failure-policy.js'
import type { ContainerStatus } from '../../api/core/v1/container/status.js'
import type { Pod } from '../../api/core/v1/pod.js'

/** The rule of a policy that a failed pod matches. */
export interface PolicyMatch {
  /** Undefined if no rule matches: then the failure counts. */
  readonly action?: PodFailurePolicyAction
  /** For the condition of the job, if the whole job fails. */
  readonly message?: string
}

/** The first rule that matches decides. */
export function matchFailurePolicy(policy: PodFailurePolicy | undefined, pod: Pod): PolicyMatch {
  for (const [position, rule] of (policy?.rules ?? []).entries()) {
    const found = matchOf(rule, pod)
    if (found === undefined) continue
    const { action } = rule
    return action === 'FailJob'
      ? { action, message: `${found} matching ${action} rule at index ${position}` }
      : { action }
  }
  return {}
}

/** Whether a failure counts towards the backoff limit of the job or the index. */
export function countsAsFailure(policy: PodFailurePolicy | undefined, pod: Pod): boolean {
  return matchFailurePolicy(policy, pod).action !== 'Ignore'
}

/** Describes what in the pod matches the rule; undefined if nothing does. */
function matchOf({ onExitCodes, onPodConditions }: PodFailurePolicyRule, pod: Pod): string | undefined {
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
    const isNamed = requirement.containerName === undefined || requirement.containerName === name
    const code = state?.terminated?.exitCode ?? 0
    return isNamed && code !== 0 && matchesExitCode(code, requirement)
  })
}

function matchesExitCode(code: number, { operator, values }: PodFailurePolicyOnExitCodesRequirement): boolean {
  return values.includes(code) === (operator === 'In')
}
