/** Which containers are started again when they have ended. For everybody who starts them, or looks at how they are. */
import type { Container, ContainerRestartRule } from '../container.js'
import type { PodSpec } from '../pod/spec.js'

type Restarted = Pick<Container, 'restartPolicy' | 'restartPolicyRules'>

/** A container's own rules come first, then its own policy, then the pod's. */
export function isRestartedAfter(
  container: Restarted,
  { restartPolicy = 'Always' }: Pick<PodSpec, 'restartPolicy'>,
  exitCode: number,
): boolean {
  if (container.restartPolicy !== undefined && matchingRestartRule(container, exitCode)) return true
  const policy = container.restartPolicy || restartPolicy
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0)
}

/** The first rule that speaks of this exit code. Each of them starts something again. */
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

/** Whether the end of one container can start all of them again, those too that would not be started again for their own sake. */
export function canRestartAllContainers({ containers, initContainers = [] }: PodSpec): boolean {
  return [...initContainers, ...(containers ?? [])].some(({ restartPolicyRules = [] }) =>
    restartPolicyRules.some(({ action }) => action === 'RestartAllContainers'),
  )
}
