import type { SchedulerPluginDeclaration } from '../framework/declaration.js'
import { pluginDeclarations } from './declarations.js'

/** Every plugin, by the name that configurations use. */
export const pluginRegistry: ReadonlyMap<string, SchedulerPluginDeclaration> = byName(pluginDeclarations)

function byName(declarations: readonly SchedulerPluginDeclaration[]): ReadonlyMap<string, SchedulerPluginDeclaration> {
  const registry = new Map<string, SchedulerPluginDeclaration>()
  for (const declaration of declarations) {
    const { name } = declaration
    if (registry.has(name)) throw new Error(`two scheduler plugins are declared as ${name}`)
    registry.set(name, declaration)
  }
  return registry
}

/** Upstream's plugins that this scheduler may lack. Configurations may name them; the user gets a warning. */
const upstreamPlugins: ReadonlySet<string> = new Set([
  'VolumeRestrictions',
  'NodeVolumeLimits',
  'VolumeBinding',
  'VolumeZone',
  'NodeDeclaredFeatures',
  'GangScheduling',
])

/** Whether a configuration may name the plugin. */
export function isKnownPlugin(name: string): boolean {
  return pluginRegistry.has(name) || upstreamPlugins.has(name)
}

/** Whether upstream has the plugin and this scheduler does not. */
export function isMissingPlugin(name: string): boolean {
  return upstreamPlugins.has(name) && !pluginRegistry.has(name)
}
