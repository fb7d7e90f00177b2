import type { Pod } from '../../api/core/v1/pod.js'
import type { ObservedPod } from '../runtime/observed-pod.js'

export interface SandboxChange {
  /** The number of the one to make: no two of a pod have the same. */
  readonly attempt: number
  readonly hadOne: boolean
}

/** Whether the pod needs a sandbox that it does not have: none, a dead one, several, one without an address, one on the wrong network. */
export function sandboxChange({ spec }: Pod, { sandboxes }: ObservedPod): SandboxChange | undefined {
  const [last] = sandboxes
  if (!last) return { attempt: 0, hadOne: false }
  const attempt = Math.max(...sandboxes.map((sandbox) => sandbox.attempt)) + 1
  const isOnHostNetwork = spec?.hostNetwork ?? false
  if (last.state !== 'ready' || sandboxes.filter(({ state }) => state === 'ready').length > 1)
    return { attempt, hadOne: true }
  if (last.hasHostNetwork !== isOnHostNetwork) return { attempt, hadOne: true }
  return isOnHostNetwork || last.addresses.length > 0 ? undefined : { attempt, hadOne: true }
}
