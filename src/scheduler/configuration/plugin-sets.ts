import type { PluginChoice, PluginSet, Plugins } from './declarations.js'
import { defaultProfilePlugins, type EnabledPlugin } from './profile-factory.js'

/** An extension point, as configurations name it. `multiPoint` stands for all of them. */
export type ConfiguredPoint = Exclude<keyof Plugins, 'multiPoint'>

/**
 * The plugins that a profile enables at one extension point, in order: first those that it enables both here and for all points, then the
 * rest of those for all points, which include the default plugins, then those that it enables only here. `*` disables all.
 */
export function enabledAt(point: ConfiguredPoint, plugins: Plugins = {}): readonly EnabledPlugin[] {
  const everywhere = merged(defaultProfilePlugins, plugins.multiPoint)
  const { enabled = [], disabled = [] } = plugins[point] ?? {}
  const off = namesOf(disabled)
  if (off.has('*')) return enabled.map(enabledPlugin)
  const here = everywhere.filter(({ name }) => !off.has(name))
  const named = namesOf(enabled)
  const known = new Map(here.map((each) => [each.name, each]))
  const overridden = enabled.filter(({ name }) => known.has(name))
  return [
    ...overridden.map((each) => ({ ...known.get(each.name)!, ...enabledPlugin(each) })),
    ...here.filter(({ name }) => !named.has(name)),
    ...enabled.filter(({ name }) => !known.has(name)).map(enabledPlugin),
  ]
}

/** A default plugin that is enabled again keeps its position; new plugins come last. */
function merged(
  defaults: readonly EnabledPlugin[],
  { enabled = [], disabled = [] }: PluginSet = {},
): readonly EnabledPlugin[] {
  const off = namesOf(disabled)
  const remaining = off.has('*') ? [] : defaults.filter(({ name }) => !off.has(name))
  const known = new Set(remaining.map(({ name }) => name))
  const overridden = remaining.map((each) => {
    const again = enabled.find(({ name }) => name === each.name)
    return again ? enabledPlugin(again) : each
  })
  return [...overridden, ...enabled.filter(({ name }) => !known.has(name)).map(enabledPlugin)]
}

function namesOf(choices: readonly PluginChoice[]): ReadonlySet<string> {
  return new Set(choices.map(({ name }) => name))
}

function enabledPlugin({ name, weight }: PluginChoice): EnabledPlugin {
  return weight ? { name, weight } : { name }
}
