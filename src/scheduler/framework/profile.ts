import type { Plugin } from './plugin.js'

export interface WeightedPlugin {
  readonly plugin: Plugin
  readonly weight: number
}

/** A way to choose nodes. Pods ask for one by name. */
export interface Profile {
  /** `default-scheduler` */
  readonly schedulerName: string
  readonly gates: readonly Plugin[]
  /** In the order in which they are asked: the first that refuses a node is the one that is told. */
  readonly filters: readonly Plugin[]
  readonly scores: readonly WeightedPlugin[]
  readonly rescues: readonly Plugin[]
  /** How many of the nodes are looked for that would do, in percent; 0 for as many as upstream does, by the size of the cluster. */
  readonly percentageOfNodesToScore: number
}

/** Every plugin that it has, each once. */
export function pluginsOf({ gates, filters, scores, rescues }: Profile): ReadonlySet<Plugin> {
  return new Set([...gates, ...filters, ...scores.map(({ plugin }) => plugin), ...rescues])
}
