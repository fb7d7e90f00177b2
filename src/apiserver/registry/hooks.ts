import type { ResourceHooks } from './resource-hooks.js'
import { type ServiceAllocationParts, serviceHooks } from './services/service-hooks.js'

export interface RegistryHookParts extends ServiceAllocationParts {
  /** How many seconds events are kept. */
  readonly eventSeconds: number
}

/** Where resources differ from the rest when they are written, by the name under which they are kept. */
export function registryHooks(parts: RegistryHookParts): Readonly<Record<string, ResourceHooks>> {
  return { services: serviceHooks(parts), events: { seconds: parts.eventSeconds } }
}
