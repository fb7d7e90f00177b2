/** Why a plugin rejects a node for a pod, or the pod itself. A rejection that never varies is created once and shared. */
export interface PluginRejection {
  /** The plugin's name. */
  readonly plugin: string
  /** As users read it after a number of nodes: `Insufficient cpu`, `node(s) were unschedulable`. */
  readonly reasons: readonly string[]
  /** Deleting pods could resolve it. If not, preemption does not help: upstream's UnschedulableAndUnresolvable. */
  readonly isResolvable: boolean
}
