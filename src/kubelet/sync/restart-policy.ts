import { isRestartedAfter, matchingRestartRule } from '../../api/core/v1/container/restarts.js'
import type { Container } from '../../api/core/v1/container.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { ObservedContainer } from '../runtime/observed-pod.js'

/** Returns whether a container that is stopped as unhealthy restarts. There is no exit code yet that restart rules could match. */
export function isRestartedWhenUnhealthy(pod: Pod, container: Container): boolean {
  return (container.restartPolicy ?? pod.spec?.restartPolicy) !== 'Never'
}

/** Returns whether a container that is not running must be started, for the first time or again. */
export function shouldStart(pod: Pod, container: Container, last: ObservedContainer | undefined): boolean {
  if (pod.metadata.deletionTimestamp !== undefined) return false
  if (!last || last.state === 'unknown' || last.state === 'created') return true
  return last.state === 'exited' && isRestartedAfter(container, pod.spec, last.exitCode)
}

/** Returns whether any container of the pod can restart. */
export function canRestart(pod: Pod): boolean {
  const isNever = pod.spec?.restartPolicy === 'Never'
  return (pod.spec?.containers ?? []).some(
    ({ restartPolicy, restartPolicyRules = [] }) =>
      restartPolicyRules.length > 0 || (restartPolicy ? restartPolicy !== 'Never' : !isNever),
  )
}

/** Returns whether the container exited in a way that restarts the whole pod. */
export function triggersRestartAll(container: Container, last: ObservedContainer | undefined): boolean {
  return last?.state === 'exited' && matchingRestartRule(container, last.exitCode)?.action === 'RestartAllContainers'
}
