import type { Container } from '../../api/core/v1/container.js'
import { isRestartedAfter } from '../../api/core/v1/container-restarts.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { newest, type ObservedPod } from '../runtime/observed-pod.js'

/** Whether the next look at the pod would start the container, were nothing in its way. Nothing starts in a pod that is to go. */
export function isToStart(container: Container, { metadata, spec }: Pod, observed: ObservedPod): boolean {
  if (metadata.deletionTimestamp !== undefined) return false
  const last = newest(observed, container.name)
  if (!last || last.state === 'created' || last.state === 'unknown') return true
  return last.state === 'exited' && isRestartedAfter(container, spec, last.exitCode)
}
