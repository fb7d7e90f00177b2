/** Which containers are started again when they have ended. */
import type { Container, ContainerRestartRule } from '../../api/core/v1/container.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { PodSpec } from '../../api/core/v1/pod-spec.js'
import { newest, type ObservedPod } from '../runtime/observed-pod.js'

/** A container's own rules come first, then its own policy, then the pod's. */
export function isRestartedAfter(
  container: Pick<Container, 'restartPolicy' | 'restartPolicyRules'>,
  { restartPolicy = 'Always' }: Pick<PodSpec, 'restartPolicy'>,
  exitCode: number,
): boolean {
  if (container.restartPolicy !== undefined && matchingRule(container, exitCode)) return true
  const policy = container.restartPolicy || restartPolicy
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0)
}

/** The first rule that speaks of this exit code. Each of them starts something again. */
export function matchingRule(
  { restartPolicyRules = [] }: Pick<Container, 'restartPolicyRules'>,
  exitCode: number,
): ContainerRestartRule | undefined {
  return restartPolicyRules.find(({ exitCodes }) => {
    if (!exitCodes) return false
    const isListed = exitCodes.values?.includes(exitCode) ?? false
    return exitCodes.operator === 'In' ? isListed : !isListed
  })
}

/** Whether the next look at the pod would start the container, were nothing in its way. Nothing starts in a pod that is to go. */
export function isToStart(container: Container, { metadata, spec }: Pod, observed: ObservedPod): boolean {
  if (metadata.deletionTimestamp !== undefined) return false
  const last = newest(observed, container.name)
  if (!last || last.state === 'created' || last.state === 'unknown') return true
  return last.state === 'exited' && isRestartedAfter(container, spec, last.exitCode)
}
