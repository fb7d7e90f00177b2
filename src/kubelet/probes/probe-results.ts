/** What probes last said of containers, by container id. One without a probe counts as well. */
export interface ProbeResults {
  /** Undefined while a probe has not said anything yet; true where there is none. */
  readiness(containerId: string): boolean | undefined
  startup(containerId: string): boolean | undefined
  liveness(containerId: string): boolean | undefined
}
