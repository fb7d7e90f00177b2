import { ReplicaSet, type ReplicaSetCondition, type ReplicaSetStatus } from '../../api/apps/v1/replica-set.js'
import type { PodTemplateSpec } from '../../api/core/v1/pod-template.js'
import type { ReplicationController } from '../../api/core/v1/replication-controller.js'
import type { LabelSelector } from '../../api/selectors/label-selector.js'
import type { AnyObject } from '../../client/resource-client.js'
import { compiledSelector } from '../pods/selectors.js'
import type { OwnerObject } from '../runtime/owners.js'

/** A ReplicaSet or a ReplicationController. */
export interface ReplicaOwner extends OwnerObject, AnyObject {
  readonly spec: {
    readonly replicas?: number
    readonly minReadySeconds?: number
    readonly template?: PodTemplateSpec
  }
  readonly status: ReplicaStatus
}

export type ReplicaStatus = ReplicaSetStatus
export type ReplicaCondition = ReplicaSetCondition

/** The differences between ReplicaSets and the older ReplicationControllers. */
export interface ReplicaKind {
  readonly schema: typeof ReplicaSet | typeof ReplicationController
  readonly selectorOf: (owner: ReplicaOwner) => LabelSelector
  /** Whether the status has `terminatingReplicas`. */
  readonly countsTerminating: boolean
}

export const replicaSetKind: ReplicaKind = {
  schema: ReplicaSet,
  selectorOf: (owner) => compiledSelector((owner as ReplicaSet).spec.selector),
  countsTerminating: true,
}

export function wantedReplicas({ spec }: ReplicaOwner): number {
  return spec.replicas ?? 1
}
