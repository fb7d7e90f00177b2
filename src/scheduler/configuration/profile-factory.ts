import { createPlugin, type ExtensionPoint } from '../framework/declaration.js'
import type { SchedulerPlugin, SchedulerPluginDependencies } from '../framework/plugin.js'
import type { SchedulerProfile, WeightedSchedulerPlugin } from '../framework/profile.js'
import { pluginRegistry } from '../plugins/registry.js'

/** A plugin that a profile enables. */
export interface EnabledPlugin {
  readonly name: string
  /** 1 if left out. */
  readonly weight?: number
}

/** The plugins of every profile that does not disable them, with upstream's weights and in upstream's order. */
export const defaultProfilePlugins: readonly EnabledPlugin[] = [...pluginRegistry.values()]
  .flatMap(({ name, defaultProfile: entry }) => (entry ? [{ name, ...entry }] : []))
  .sort((one, other) => one.position - other.position)
  .map(({ name, weight }) => (weight === undefined ? { name } : { name, weight }))

export interface ProfilePlugins {
  /** In order. Plugins that do not have the extension point are skipped. */
  readonly enabled: Readonly<Record<ExtensionPoint, readonly EnabledPlugin[]>>
  /** By plugin name. */
  readonly args?: ReadonlyMap<string, object>
  readonly percentageOfNodesToScore?: number
}

/** Creates each plugin once, for all of its extension points. */
export function createProfile(chosen: ProfilePlugins, dependencies: SchedulerPluginDependencies): SchedulerProfile {
  const { enabled, args, percentageOfNodesToScore = 0 } = chosen
  const created = new Map<string, SchedulerPlugin>()
  const weightedAt = (point: ExtensionPoint): readonly WeightedSchedulerPlugin[] =>
    enabled[point].flatMap(({ name, weight = 1 }) => {
      const declaration = pluginRegistry.get(name)
      if (!declaration?.extensionPoints.has(point)) return []
      const plugin = created.get(name) ?? createPlugin(declaration, dependencies, args?.get(name))
      created.set(name, plugin)
      return [{ plugin, weight }]
    })
  const at = (point: ExtensionPoint) => weightedAt(point).map(({ plugin }) => plugin)
  return {
    schedulerName: dependencies.schedulerName,
    queueSort: at('queueSort'),
    preEnqueue: at('preEnqueue'),
    filter: at('filter'),
    postFilter: at('postFilter'),
    score: weightedAt('score'),
    bind: at('bind'),
    percentageOfNodesToScore,
  }
}

/** The profile of pods that name no other. */
export function defaultProfile(dependencies: SchedulerPluginDependencies): SchedulerProfile {
  const all = defaultProfilePlugins
  const enabled = { queueSort: all, preEnqueue: all, filter: all, postFilter: all, score: all, bind: all }
  return createProfile({ enabled }, dependencies)
}
