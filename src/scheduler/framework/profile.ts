import type { SchedulerPlugin } from './plugin.js'

export interface WeightedSchedulerPlugin {
  readonly plugin: SchedulerPlugin
  readonly weight: number
}

/** A way to choose nodes. Pods ask for one by name. */
export interface SchedulerProfile {
  /** `default-scheduler` */
  readonly schedulerName: string
  readonly preEnqueue: readonly SchedulerPlugin[]
  /** In the order in which they are asked: the first that refuses a node is the one that is told. */
  readonly filter: readonly SchedulerPlugin[]
  readonly score: readonly WeightedSchedulerPlugin[]
  readonly postFilter: readonly SchedulerPlugin[]
  /** How many of the nodes are looked for that would do, in percent; 0 for as many as upstream does, by the size of the cluster. */
  readonly percentageOfNodesToScore: number
}

/** Every plugin that it has, each once. */
export function pluginsOf({ preEnqueue, filter, score, postFilter }: SchedulerProfile): ReadonlySet<SchedulerPlugin> {
  return new Set([...preEnqueue, ...filter, ...score.map(({ plugin }) => plugin), ...postFilter])
}
