/** Decides which containers are restarted. Used by the kubelet, controllers and validation. */
import type { Container, ContainerRestartRule } from '../container.js'
import type { PodSpec } from '../pod/spec.js'

type Restarted = Pick<Container, 'restartPolicy' | 'restartPolicyRules'>

/** The rules of the container come first, then its own policy, then that of the pod. */
export function isRestartedAfter(
  container: Restarted,
  { restartPolicy = 'Always' }: Pick<PodSpec, 'restartPolicy'>,
  exitCode: number,
): boolean {
  if (container.restartPolicy !== undefined && matchingRestartRule(container, exitCode)) return true
  const policy = container.restartPolicy || restartPolicy
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0)
}

/** The first rule that matches the exit code. Every rule restarts something. */
export function matchingRestartRule(
  { restartPolicyRules = [] }: Restarted,
  exitCode: number,
): ContainerRestartRule | undefined {
  return restartPolicyRules.find(({ exitCodes }) => {
    if (!exitCodes) return false
    const isListed = exitCodes.values?.includes(exitCode) ?? false
    return exitCodes.operator === 'In' ? isListed : !isListed
  })
}

/** Whether the exit of one container can restart all containers, including those that would not be restarted otherwise. */
export function canRestartAllContainers({ containers, initContainers = [] }: PodSpec): boolean {
  return [...initContainers, ...(containers ?? [])].some(({ restartPolicyRules = [] }) =>
    restartPolicyRules.some(({ action }) => action === 'RestartAllContainers'),
  )
}
