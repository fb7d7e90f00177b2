import type { Deployment } from '../../api/apps/v1/deployment.js'
import type { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import type { PodTemplateSpec } from '../../api/core/v1/pod-template.js'
import type { JsonValue } from '../../schema/declaration.js'
import { sameJson } from '../../schema/json-value.js'
import { templateHashLabel } from '../pods/template.js'

/** The ReplicaSets of a Deployment. */
export interface ReplicaSets {
  /** The one with the current template. */
  readonly current: ReplicaSet | undefined
  /** Those with earlier templates, oldest first. */
  readonly old: readonly ReplicaSet[]
}

/** If two ReplicaSets have the current template, the older one is taken, so that every process takes the same. */
export function currentAndOld(deployment: Deployment, replicaSets: readonly ReplicaSet[]): ReplicaSets {
  const all = [...replicaSets].sort(byAge)
  const current = all.find(({ spec }) => isSameTemplate(spec.template, deployment.spec.template))
  return { current, old: all.filter((each) => each !== current) }
}

/** Takes in a ReplicaSet as it was written. */
export function replaceReplicaSet({ current, old }: ReplicaSets, updated: ReplicaSet): ReplicaSets {
  const replaced = (each: ReplicaSet) => (each.metadata.uid === updated.metadata.uid ? updated : each)
  return { current: current && replaced(current), old: old.map(replaced) }
}

export function allReplicaSets({ current, old }: ReplicaSets): readonly ReplicaSet[] {
  return current ? [...old, current] : old
}

/** Compares templates without the hash label, which only the template of a ReplicaSet has. */
export function isSameTemplate(one: PodTemplateSpec | undefined, other: PodTemplateSpec | undefined): boolean {
  return sameJson(withoutHash(one ?? {}) as JsonValue, withoutHash(other ?? {}) as JsonValue)
}

export function withoutHash(template: PodTemplateSpec): PodTemplateSpec {
  const { [templateHashLabel]: hash, ...labels } = template.metadata?.labels ?? {}
  if (hash === undefined) return template
  const { labels: _, ...metadata } = template.metadata ?? {}
  return { ...template, metadata: { ...metadata, ...(Object.keys(labels).length > 0 && { labels }) } }
}

/** Oldest first. */
export function byAge(left: ReplicaSet, right: ReplicaSet): number {
  return (
    compare(left.metadata.creationTimestamp ?? '', right.metadata.creationTimestamp ?? '') ||
    compare(left.metadata.name!, right.metadata.name!)
  )
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}

export function replicasOf({ spec }: ReplicaSet): number {
  return spec.replicas ?? 1
}

/** Whether it has or should have pods. */
export function hasReplicas(replicaSet: ReplicaSet): boolean {
  return replicasOf(replicaSet) > 0
}

export function sum(replicaSets: readonly ReplicaSet[], count: (replicaSet: ReplicaSet) => number): number {
  return replicaSets.reduce((total, each) => total + count(each), 0)
}

export function availableReplicas({ status }: ReplicaSet): number {
  return status.availableReplicas ?? 0
}
