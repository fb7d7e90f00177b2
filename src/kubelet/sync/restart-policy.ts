import { isRestartedAfter, matchingRestartRule } from '../../api/core/v1/container/restarts.js'
import type { Container } from '../../api/core/v1/container.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { ObservedContainer } from '../runtime/observed-pod.js'

/** Whether one is started again that is stopped because it does badly: there is no exit code yet that rules could look at. */
export function isRestartedWhenUnhealthy(pod: Pod, container: Container): boolean {
  return (container.restartPolicy ?? pod.spec?.restartPolicy) !== 'Never'
}

/** Whether one that does not run has to be started, be it for the first time or again. */
export function shouldStart(pod: Pod, container: Container, last: ObservedContainer | undefined): boolean {
  if (pod.metadata.deletionTimestamp !== undefined) return false
  if (!last || last.state === 'unknown' || last.state === 'created') return true
  return last.state === 'exited' && isRestartedAfter(container, pod.spec, last.exitCode)
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
export function triggersRestartAll(container: Container, last: ObservedContainer | undefined): boolean {
  return last?.state === 'exited' && matchingRestartRule(container, last.exitCode)?.action === 'RestartAllContainers'
}
