import { readySandbox } from '../runtime/observed-pod.js'
import type { PodStatusInput } from './pod-status-input.js'

/** Returns whether containers can start: exactly one sandbox is ready, on the right network, with an address. */
export function hasUsableSandbox({ pod, observed }: Pick<PodStatusInput, 'pod' | 'observed'>): boolean {
  const sandbox = readySandbox(observed)
  if (!sandbox || observed.sandboxes.filter(({ state }) => state === 'ready').length > 1) return false
  const hasHostNetwork = pod.spec.hostNetwork ?? false
  return sandbox.hasHostNetwork === hasHostNetwork && (hasHostNetwork || sandbox.addresses.length > 0)
}

/** Returns whether a main container was created in the sandbox in use. */
export function hasInitialized({ pod, observed }: Pick<PodStatusInput, 'pod' | 'observed'>): boolean {
  const sandbox = readySandbox(observed)
  return observed.containers.some(
    ({ name, sandboxId }) =>
      sandboxId === sandbox?.id && pod.spec.containers.some((container) => container.name === name),
  )
}
