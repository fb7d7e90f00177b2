import { builtIn } from './default-plugins.js'
import { registry } from './registry.js'

/** Upstream's that this scheduler does not have: configurations may name them, to no effect. */
const elsewhere: ReadonlySet<string> = new Set([
  'VolumeRestrictions',
  'NodeVolumeLimits',
  'VolumeBinding',
  'VolumeZone',
  'NodeDeclaredFeatures',
  'GangScheduling',
])

export function isHere(name: string): boolean {
  return Object.hasOwn(registry, name)
}

/** Whether a configuration may name it. */
export function isAnywhere(name: string): boolean {
  return isHere(name) || builtIn.has(name) || elsewhere.has(name)
}

/** Whoever names it believes that there is such a rule, and should know that there is not. */
export function isMissed(name: string): boolean {
  return elsewhere.has(name) && !isHere(name)
}
