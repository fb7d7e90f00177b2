/** What probes last said of containers, by container id. One without a probe of that kind, or that nobody attends to, counts as well. */
export interface ProbeResults {
  /** False until a probe said otherwise. */
  readiness(containerId: string): boolean | undefined
  /** Undefined while a probe has not said anything yet. */
  startup(containerId: string): boolean | undefined
  /** True until a probe said otherwise. */
  liveness(containerId: string): boolean | undefined
}
