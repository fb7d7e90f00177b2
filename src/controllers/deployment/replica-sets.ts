import { Deployment } from '../../api/apps/v1/deployment.js'
import { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import type { PodTemplateSpec } from '../../api/core/v1/pod-template.js'
import type { JsonValue } from '../../schema/declaration.js'
import { sameJson } from '../../schema/json-value.js'
import { claim } from '../pods/claiming.js'
import { OwnedObjects } from '../pods/owned-objects.js'
import { compiledSelector } from '../pods/selectors.js'
import { templateHashLabel } from '../pods/template.js'
import type { ReconcileContext } from '../runtime/reconcile.js'

/** The ReplicaSets of a Deployment. */
export interface ReplicaSets {
  /** That of the template as it is now. */
  readonly current: ReplicaSet | undefined
  /** Those of templates that were, oldest first. */
  readonly old: readonly ReplicaSet[]
}

/** Those that belong to the Deployment; orphans that its selector chooses are adopted on the way. */
export function claimedReplicaSets(
  deployment: Deployment,
  { informers, client }: ReconcileContext,
): Promise<readonly ReplicaSet[]> {
  const selector = compiledSelector(deployment.spec.selector)
  return claim(new OwnedObjects(informers, ReplicaSet).claimable(deployment), {
    kind: ReplicaSet,
    owner: deployment,
    ownerKind: Deployment,
    matches: ({ metadata }) => selector.matches(metadata.labels ?? {}),
    client,
  })
}

/** Should there be two of the same template, the older one is the new one: everybody comes to the same result. */
export function sorted(deployment: Deployment, replicaSets: readonly ReplicaSet[]): ReplicaSets {
  const all = [...replicaSets].sort(byAge)
  const current = all.find(({ spec }) => isSameTemplate(spec.template, deployment.spec.template))
  return { current, old: all.filter((each) => each !== current) }
}

export function allOf({ current, old }: ReplicaSets): readonly ReplicaSet[] {
  return current ? [...old, current] : old
}

/** Whether pods of both are the same. The hash is in one of them only. */
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

export function sizeOf({ spec }: ReplicaSet): number {
  return spec.replicas ?? 1
}

/** Has pods, or ought to have some. */
export function isActive(replicaSet: ReplicaSet): boolean {
  return sizeOf(replicaSet) > 0
}

export function sum(replicaSets: readonly ReplicaSet[], count: (replicaSet: ReplicaSet) => number): number {
  return replicaSets.reduce((total, each) => total + count(each), 0)
}

export function availableOf({ status }: ReplicaSet): number {
  return status.availableReplicas ?? 0
}
