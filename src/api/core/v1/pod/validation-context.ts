import type { Volume } from '../volume.js'
import type { PodSpec } from './spec.js'

/** What the rules of a pod's parts need to know beyond the part itself. */
export interface PodRulesContext {
  /** Whether containers may be privileged: a decision about the whole cluster. */
  readonly allowPrivileged: boolean
  /** What the spec replaces, on update: what was allowed then stays allowed. */
  readonly old?: PodSpec | undefined
  /** The name of the pod itself; templates have none. */
  readonly podName?: string | undefined
}

/** The same, inside of a pod's spec. */
export interface PodPartContext extends PodRulesContext {
  readonly spec: PodSpec
  /** The volumes of the pod that have good names, by name. */
  readonly volumes: ReadonlyMap<string, Volume>
}
