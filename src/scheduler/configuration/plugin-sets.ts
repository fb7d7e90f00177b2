import type { PluginChoice, PluginSet, Plugins } from './declarations.js'
import { type ChosenPlugin, defaultProfilePlugins } from './default-plugins.js'

/** Where plugins can be asked something, as configurations call it. `multiPoint` means all of them at once. */
export type Point = Exclude<keyof Plugins, 'multiPoint'>

/**
 * Which plugins a profile has at one point, in order: first those that it names there and for all points alike, then what it has at all
 * points, the usual ones among it unless it turns them off, then what else it names there. `*` turns everything off.
 */
export function pluginsAt(point: Point, plugins: Plugins = {}): readonly ChosenPlugin[] {
  const everywhere = merged(defaultProfilePlugins, plugins.multiPoint)
  const { enabled = [], disabled = [] } = plugins[point] ?? {}
  const off = namesOf(disabled)
  if (off.has('*')) return enabled.map(chosen)
  const here = everywhere.filter(({ name }) => !off.has(name))
  const named = new Set(enabled.map(({ name }) => name))
  const known = new Map(here.map((each) => [each.name, each]))
  const again = enabled.filter(({ name }) => known.has(name))
  return [
    ...again.map((each) => ({ ...known.get(each.name)!, ...chosen(each) })),
    ...here.filter(({ name }) => !named.has(name)),
    ...enabled.filter(({ name }) => !known.has(name)).map(chosen),
  ]
}

/** What is named again is so in its old place; what is new comes last. */
function merged(
  usual: readonly ChosenPlugin[],
  { enabled = [], disabled = [] }: PluginSet = {},
): readonly ChosenPlugin[] {
  const off = namesOf(disabled)
  const kept = off.has('*') ? [] : usual.filter(({ name }) => !off.has(name))
  const replaced = new Set(kept.map(({ name }) => name))
  const found = kept.map((each) => {
    const again = enabled.find(({ name }) => name === each.name)
    return again ? chosen(again) : each
  })
  return [...found, ...enabled.filter(({ name }) => !replaced.has(name)).map(chosen)]
}

function namesOf(choices: readonly PluginChoice[]): ReadonlySet<string> {
  return new Set(choices.map(({ name }) => name))
}

function chosen({ name, weight }: PluginChoice): ChosenPlugin {
  return weight ? { name, weight } : { name }
}
