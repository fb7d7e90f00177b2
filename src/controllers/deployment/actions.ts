import type { Deployment, DeploymentStatus } from '../../api/apps/v1/deployment.js'
import type { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import type { Given } from '../../client/resource-client.js'
import type { JsonValue } from '../../schema/declaration.js'
import { sameJson } from '../../schema/json-value.js'
import { type ConditionUpdate, newCondition, withCondition } from './conditions.js'
import type { ReplicaSets } from './replica-sets.js'
import type { AnnotationMap } from './revisions.js'

/** What a reconcile knows of a Deployment. After each write it holds the objects as the server returned them. */
export interface DeploymentObservation {
  readonly deployment: Deployment
  readonly replicaSets: ReplicaSets
  /** Whether pods of old ReplicaSets still run. Only observed for the strategy Recreate. */
  readonly hasOldPods: boolean
  readonly now: number
  /** The stages of this reconcile that are left; undefined at its beginning. */
  readonly stages?: readonly Stage[]
}

/** A part of a reconcile. Stages follow one another because each may depend on the results of the writes before it. */
export type Stage =
  | 'reject empty selector'
  | 'record pause'
  | 'record revision'
  | 'create new ReplicaSet'
  | 'roll back'
  | 'scale'
  | 'rolling update'
  | 'scale down old'
  | 'scale up new'
  | 'write status'
  | 'write rollout status'
  | 'schedule progress check'

export type DeploymentAction =
  | { readonly do: 'record event'; readonly event: DeploymentEvent }
  | { readonly do: 'update status'; readonly status: DeploymentStatus; readonly annotations: AnnotationMap }
  | { readonly do: 'update deployment'; readonly deployment: Deployment }
  | { readonly do: 'create ReplicaSet'; readonly replicaSet: Given<ReplicaSet> }
  | { readonly do: 'update ReplicaSet'; readonly replicaSet: ReplicaSet }
  | ({ readonly do: 'scale ReplicaSet' } & ReplicaSetScale)
  | { readonly do: 'delete ReplicaSet'; readonly replicaSet: ReplicaSet }

export interface DeploymentEvent {
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
}

/** The number of replicas that a ReplicaSet gets. */
export interface ReplicaSetScale {
  readonly replicaSet: ReplicaSet
  readonly replicas: number
}

/** Writes the status, and annotations with it; no action if both are unchanged. */
export function statusUpdate(
  { status: before, metadata }: Deployment,
  status: DeploymentStatus,
  annotations: AnnotationMap = metadata.annotations ?? {},
): readonly DeploymentAction[] {
  const isSame = (left: unknown, right: unknown) => sameJson(left as JsonValue, right as JsonValue)
  if (isSame(status, before) && isSame(annotations, metadata.annotations ?? {})) return []
  return [{ do: 'update status', status, annotations }]
}

/** The status with this condition, which may replace one of the same type. */
export function statusWith(
  { deployment: { status }, now }: DeploymentObservation,
  condition: ConditionUpdate,
): DeploymentStatus {
  return { ...status, conditions: withCondition(status.conditions ?? [], newCondition(condition, now)) }
}

export function scalingEvent(name: string, before: number, replicas: number): DeploymentEvent {
  const direction = replicas > before ? 'up' : 'down'
  const message = `Scaled ${direction} replica set ${name} from ${before} to ${replicas}`
  return { type: 'Normal', reason: 'ScalingReplicaSet', message }
}
