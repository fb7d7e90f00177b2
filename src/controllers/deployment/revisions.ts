import type { Deployment } from '../../api/apps/v1/deployment.js'
import type { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import type { AnyObject } from '../../client/resource-client.js'
import { desiredReplicas, maxReplicas } from './rollout-limits.js'

export type AnnotationMap = Readonly<Record<string, string>>

/** The number of the rollout. */
export const revisionAnnotation = 'deployment.kubernetes.io/revision'
/** Earlier numbers of a ReplicaSet that was rolled back to. */
const revisionHistoryAnnotation = 'deployment.kubernetes.io/revision-history'
/** The replicas of the Deployment when the ReplicaSet was last scaled. A difference means that the Deployment was scaled. */
export const desiredReplicasAnnotation = 'deployment.kubernetes.io/desired-replicas'
/** The most pods that the Deployment could have then; proportional scaling needs it. */
export const maxReplicasAnnotation = 'deployment.kubernetes.io/max-replicas'
/** The revision that an old client asks to roll back to. */
export const rollbackAnnotation = 'deprecated.deployment.rollback.to'

/** All other annotations are copied from a Deployment to its ReplicaSets. */
const notCopied: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  revisionAnnotation,
  revisionHistoryAnnotation,
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
  rollbackAnnotation,
])

const wholeNumber = /^[+-]?[0-9]+$/

/** 0 without the annotation; undefined if its value is not a number. */
export function revisionNumber({ metadata }: AnyObject): number | undefined {
  const text = metadata.annotations?.[revisionAnnotation]
  if (text === undefined) return 0
  return wholeNumber.test(text) ? Number(text) : undefined
}

/** The value of an annotation that is a number. */
export function annotatedNumber({ metadata }: AnyObject, annotation: string): number | undefined {
  const text = metadata.annotations?.[annotation]
  return text !== undefined && wholeNumber.test(text) ? Number(text) : undefined
}

export function highestRevision(replicaSets: readonly ReplicaSet[]): number {
  return Math.max(0, ...replicaSets.map((each) => revisionNumber(each) ?? 0))
}

/** The second highest; 0 if there is none. */
export function previousRevision(replicaSets: readonly ReplicaSet[]): number {
  const revisions = replicaSets.map((each) => revisionNumber(each) ?? 0).sort((left, right) => right - left)
  return revisions[1] ?? 0
}

export function scaleAnnotations(deployment: Deployment): AnnotationMap {
  return {
    [desiredReplicasAnnotation]: String(desiredReplicas(deployment)),
    [maxReplicasAnnotation]: String(maxReplicas(deployment)),
  }
}

/** The annotations of the new ReplicaSet of a Deployment, which has the highest revision. */
export function newReplicaSetAnnotations(
  deployment: Deployment,
  replicaSet: AnyObject,
  revision: number,
): AnnotationMap {
  const given = replicaSet.metadata.annotations ?? {}
  const before = revisionNumber(replicaSet)
  if (before === undefined) return given
  const annotations = { ...given, ...copiedAnnotations(deployment) }
  // A revision never decreases, even if the old ReplicaSets with the highest numbers were deleted.
  if (before >= revision) return annotations
  const history = revisionAnnotation in given ? withRevision(given[revisionHistoryAnnotation], String(before)) : {}
  return { ...annotations, [revisionAnnotation]: String(revision), ...history }
}

export function copiedAnnotations({ metadata }: AnyObject): AnnotationMap {
  return only(metadata.annotations, (name) => !notCopied.has(name))
}

/** The annotations of a Deployment that is rolled back to a ReplicaSet: they come back with the template. */
export function rolledBackAnnotations(deployment: Deployment, replicaSet: ReplicaSet): AnnotationMap {
  return { ...only(deployment.metadata.annotations, (name) => notCopied.has(name)), ...copiedAnnotations(replicaSet) }
}

function only(annotations: AnnotationMap | undefined, isWanted: (name: string) => boolean): AnnotationMap {
  return Object.fromEntries(Object.entries(annotations ?? {}).filter(([name]) => isWanted(name)))
}

/** In characters. */
const maxHistoryLength = 2000

/** Drops the oldest revisions if the history becomes too long. */
function withRevision(history: string | undefined, revision: string): AnnotationMap {
  const revisions = [...(history ? history.split(',') : []), revision]
  while (revisions.length > 1 && revisions.join(',').length > maxHistoryLength) revisions.shift()
  return { [revisionHistoryAnnotation]: revisions.join(',') }
}
