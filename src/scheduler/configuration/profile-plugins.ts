import type { SchedulerPlugin, SchedulerPluginDependencies } from '../framework/plugin.js'
import type { SchedulerProfile } from '../framework/profile.js'
import type { ChosenPlugin } from './default-plugins.js'
import { registry } from './registry.js'

/** Which plugins are asked what, in order. Those that have nothing to say there may be named all the same. */
export interface ChosenPlugins {
  readonly gates: readonly ChosenPlugin[]
  readonly filters: readonly ChosenPlugin[]
  readonly scores: readonly ChosenPlugin[]
  readonly rescues: readonly ChosenPlugin[]
  /** What is said to them, by name. */
  readonly args?: ReadonlyMap<string, unknown>
  readonly percentageOfNodesToScore?: number
}

/** Makes each plugin once, whatever it is asked. */
export function profileOf(chosen: ChosenPlugins, parts: SchedulerPluginDependencies): SchedulerProfile {
  const made = new Map<string, SchedulerPlugin | undefined>()
  const plugin = (name: string) => {
    if (!made.has(name)) made.set(name, registry[name]?.(parts, chosen.args?.get(name)))
    return made.get(name)
  }
  const thatHave = (ability: keyof SchedulerPlugin, names: readonly ChosenPlugin[]) =>
    names.flatMap(({ name, weight = 1 }) => {
      const one = plugin(name)
      return one?.[ability] ? [{ plugin: one, weight }] : []
    })
  const plain = (ability: keyof SchedulerPlugin, names: readonly ChosenPlugin[]) =>
    thatHave(ability, names).map((each) => each.plugin)
  return {
    schedulerName: parts.schedulerName,
    preEnqueue: plain('preEnqueue', chosen.gates),
    filter: plain('preFilter', chosen.filters),
    score: thatHave('preScore', chosen.scores),
    postFilter: plain('postFilter', chosen.rescues),
    percentageOfNodesToScore: chosen.percentageOfNodesToScore ?? 0,
  }
}
