import type { Volume } from '../volume.js'
import type { PodSpec } from './spec.js'

/** The context for the validation of parts of a pod. */
export interface PodRulesContext {
  /** Whether the cluster allows privileged containers. */
  readonly allowPrivileged: boolean
  /** The old spec of an update. Invalid values that it has stay allowed. */
  readonly old?: PodSpec | undefined
  /** The name of the pod itself; templates have none. */
  readonly podName?: string | undefined
}

/** The context for parts of a pod's spec. */
export interface PodPartContext extends PodRulesContext {
  readonly spec: PodSpec
  /** The volumes of the pod with valid names, by name. */
  readonly volumes: ReadonlyMap<string, Volume>
}
