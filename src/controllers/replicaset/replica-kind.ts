import { ReplicaSet, type ReplicaSetCondition, type ReplicaSetStatus } from '../../api/apps/v1/replica-set.js'
import type { PodTemplateSpec } from '../../api/core/v1/pod-template.js'
import type { ReplicationController } from '../../api/core/v1/replication-controller.js'
import type { LabelSelector } from '../../api/selectors/label-selector.js'
import type { AnyObject } from '../../client/resource-client.js'
import { selectorOf } from '../pods/selectors.js'
import type { Owner } from '../pods/template.js'
import type { ReconcileContext } from '../runtime/reconcile.js'

/** What keeps a number of pods that are all alike. */
export interface ReplicaOwner extends Owner, AnyObject {
  readonly spec: {
    readonly replicas?: number
    readonly minReadySeconds?: number
    readonly template?: PodTemplateSpec
  }
  readonly status: ReplicaStatus
}

export type ReplicaStatus = ReplicaSetStatus
export type ReplicaCondition = ReplicaSetCondition

/** ReplicaSets and the older ReplicationControllers are looked after by the same loop. This is in what they differ. */
export interface ReplicaKind {
  /** Of the loop. */
  readonly name: string
  readonly schema: typeof ReplicaSet | typeof ReplicationController
  readonly selectorOf: (owner: ReplicaOwner) => LabelSelector
  /** Whether the status tells how many pods are on their way out. */
  readonly tellsTerminating: boolean
}

export const replicaSets: ReplicaKind = {
  name: 'replicaset-controller',
  schema: ReplicaSet,
  selectorOf: (owner) => selectorOf((owner as ReplicaSet).spec.selector),
  tellsTerminating: true,
}

/** One look at one owner. */
export interface Look {
  readonly kind: ReplicaKind
  readonly owner: ReplicaOwner
  readonly context: ReconcileContext
}
