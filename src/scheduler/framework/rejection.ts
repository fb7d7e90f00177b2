/** Why a pod cannot be on a node, or nowhere. One that is always the same is made once and shared. */
export interface PluginRejection {
  /** The plugin's name. */
  readonly plugin: string
  /** As people read it after a number of nodes: `Insufficient cpu`, `node(s) were unschedulable`. */
  readonly reasons: readonly string[]
  /** It could be otherwise if some pods were not there. If not, preemption does not help. */
  readonly isResolvable: boolean
}
