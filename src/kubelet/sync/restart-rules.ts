import type { Container, ContainerRestartRule } from '../../api/core/v1/container.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { ObservedContainer } from '../runtime/observed-pod.js'

/** Whether a container that ended so is started again. What the container says for itself counts before what the pod says. */
export function restartsAfter(pod: Pod, container: Container, exitCode: number): boolean {
  if (matchingRule(container, exitCode)) return true
  const policy = container.restartPolicy ?? pod.spec?.restartPolicy ?? 'Always'
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0)
}

/** Whether one is started again that is stopped because it does badly: there is no exit code yet that rules could look at. */
export function restartsWhenUnwell(pod: Pod, container: Container): boolean {
  return (container.restartPolicy ?? pod.spec?.restartPolicy) !== 'Never'
}

/** Whether one that does not run has to be started, be it for the first time or again. */
export function shouldStart(pod: Pod, container: Container, last: ObservedContainer | undefined): boolean {
  if (pod.metadata.deletionTimestamp !== undefined) return false
  if (!last || last.state === 'unknown' || last.state === 'created') return true
  return last.state === 'exited' && restartsAfter(pod, container, last.exitCode)
}

/** Whether any of the pod's containers can be started a second time. */
export function canRestart(pod: Pod): boolean {
  const isNever = pod.spec?.restartPolicy === 'Never'
  return (pod.spec?.containers ?? []).some(
    ({ restartPolicy, restartPolicyRules = [] }) =>
      restartPolicyRules.length > 0 || (restartPolicy ? restartPolicy !== 'Never' : !isNever),
  )
}

/** Whether it ended in a way after which the whole pod begins anew. */
export function restartsAll(container: Container, last: ObservedContainer | undefined): boolean {
  return last?.state === 'exited' && matchingRule(container, last.exitCode)?.action === 'RestartAllContainers'
}

function matchingRule({ restartPolicyRules = [] }: Container, exitCode: number): ContainerRestartRule | undefined {
  return restartPolicyRules.find(({ exitCodes }) => {
    if (!exitCodes) return false
    const isListed = (exitCodes.values ?? []).includes(exitCode)
    return exitCodes.operator === 'In' ? isListed : exitCodes.operator === 'NotIn' && !isListed
  })
}
