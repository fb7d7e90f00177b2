/** A plugin that a profile is to have, as configurations name it. */
export interface ChosenPlugin {
  readonly name: string
  /** How much its scores count; 1 unless told. */
  readonly weight?: number
}

/** What every profile has unless its configuration says otherwise: in the order in which they are asked. Upstream's, as are the weights. */
export const defaultProfilePlugins: readonly ChosenPlugin[] = [
  { name: 'SchedulingGates' },
  { name: 'PrioritySort' },
  { name: 'NodeUnschedulable' },
  { name: 'NodeName' },
  { name: 'TaintToleration', weight: 3 },
  { name: 'NodeAffinity', weight: 2 },
  { name: 'NodePorts' },
  { name: 'NodeResourcesFit', weight: 1 },
  { name: 'PodTopologySpread', weight: 2 },
  { name: 'InterPodAffinity', weight: 2 },
  { name: 'DynamicResources' },
  { name: 'DefaultPreemption' },
  { name: 'NodeResourcesBalancedAllocation', weight: 1 },
  { name: 'ImageLocality', weight: 1 },
  { name: 'DefaultBinder' },
]

/**
 * Upstream's plugins that this scheduler has no rule of its own for. Configurations may name them where they turn something off, and
 * where they turn on what is on anyway.
 */
export const builtIn: ReadonlySet<string> = new Set(['PrioritySort', 'DefaultBinder'])
