import type { SchedulerPlugin, SchedulerPluginDependencies } from './plugin.js'

export interface WeightedSchedulerPlugin {
  readonly plugin: SchedulerPlugin
  readonly weight: number
}

/** The plugins of one scheduler name, by extension point, in the order in which they run. Pods choose a profile by `schedulerName`. */
export interface SchedulerProfile {
  /** `default-scheduler` */
  readonly schedulerName: string
  readonly queueSort: readonly SchedulerPlugin[]
  readonly preEnqueue: readonly SchedulerPlugin[]
  readonly filter: readonly SchedulerPlugin[]
  readonly postFilter: readonly SchedulerPlugin[]
  readonly score: readonly WeightedSchedulerPlugin[]
  readonly bind: readonly SchedulerPlugin[]
  /** A cycle stops filtering when it has found this share of the nodes feasible; 0 for upstream's share, which depends on their number. */
  readonly percentageOfNodesToScore: number
}

/** Every plugin of the profile, once. */
export function pluginsOf(profile: SchedulerProfile): ReadonlySet<SchedulerPlugin> {
  const { queueSort, preEnqueue, filter, postFilter, score, bind } = profile
  return new Set([...queueSort, ...preEnqueue, ...filter, ...postFilter, ...score.map(({ plugin }) => plugin), ...bind])
}

/** Creates a profile once the dependencies of its plugins exist. */
export type ProfileFactory = (dependencies: SchedulerPluginDependencies) => SchedulerProfile
