import type { Deployment } from '../../api/apps/v1/deployment.js'
import type { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import type { AnyObject } from '../../client/resource-client.js'
import { mostReplicas, wantedReplicas } from './fenceposts.js'

export type Annotations = Readonly<Record<string, string>>

/** Which rollout it was: counts up with each. */
export const revisionAnnotation = 'deployment.kubernetes.io/revision'
/** Which rollouts it was before it was gone back to. */
const revisionHistoryAnnotation = 'deployment.kubernetes.io/revision-history'
/** How many pods the Deployment wanted when the ReplicaSet was last scaled: by this, scaling is told from rolling out. */
export const desiredReplicasAnnotation = 'deployment.kubernetes.io/desired-replicas'
/** How many it could have at most then: what its share is measured by. */
export const maxReplicasAnnotation = 'deployment.kubernetes.io/max-replicas'
/** The revision to go back to, as old clients ask for it. */
export const rollbackAnnotation = 'deprecated.deployment.rollback.to'

/** These are about the one object that they stand on; all others go from a Deployment to its ReplicaSets. */
const notCopied: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  revisionAnnotation,
  revisionHistoryAnnotation,
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
  rollbackAnnotation,
])

const wholeNumber = /^[+-]?[0-9]+$/

/** 0 if there is none yet; undefined if somebody wrote down what is no number. */
export function revisionOf({ metadata }: AnyObject): number | undefined {
  const text = metadata.annotations?.[revisionAnnotation]
  if (text === undefined) return 0
  return wholeNumber.test(text) ? Number(text) : undefined
}

/** A number that was written down on an object, if it is one. */
export function annotatedNumber({ metadata }: AnyObject, annotation: string): number | undefined {
  const text = metadata.annotations?.[annotation]
  return text !== undefined && wholeNumber.test(text) ? Number(text) : undefined
}

export function highestRevision(replicaSets: readonly ReplicaSet[]): number {
  return Math.max(0, ...replicaSets.map((each) => revisionOf(each) ?? 0))
}

/** The one before the highest; 0 if there is none. */
export function previousRevision(replicaSets: readonly ReplicaSet[]): number {
  const revisions = replicaSets.map((each) => revisionOf(each) ?? 0).sort((left, right) => right - left)
  return revisions[1] ?? 0
}

/** How large the Deployment was when a ReplicaSet was scaled. */
export function sizeAnnotations(deployment: Deployment): Annotations {
  return {
    [desiredReplicasAnnotation]: String(wantedReplicas(deployment)),
    [maxReplicasAnnotation]: String(mostReplicas(deployment)),
  }
}

/** The annotations of a ReplicaSet as the new one of its Deployment: it has the highest revision of all. */
export function annotationsOfNew(deployment: Deployment, replicaSet: AnyObject, revision: number): Annotations {
  const given = replicaSet.metadata.annotations ?? {}
  const before = revisionOf(replicaSet)
  if (before === undefined) return given
  const annotations = { ...given, ...copiedAnnotations(deployment) }
  // Of old ReplicaSets some may be gone meanwhile, and their numbers with them: a revision never goes down.
  if (before >= revision) return annotations
  const history = revisionAnnotation in given ? withRevision(given[revisionHistoryAnnotation], String(before)) : {}
  return { ...annotations, [revisionAnnotation]: String(revision), ...history }
}

export function copiedAnnotations({ metadata }: AnyObject): Annotations {
  return only(metadata.annotations, (name) => !notCopied.has(name))
}

/** Annotations of a Deployment that goes back to what a ReplicaSet was made of: what was said about that comes back with it. */
export function annotationsOnceBack(deployment: Deployment, replicaSet: ReplicaSet): Annotations {
  return { ...only(deployment.metadata.annotations, (name) => notCopied.has(name)), ...copiedAnnotations(replicaSet) }
}

function only(annotations: Annotations | undefined, isWanted: (name: string) => boolean): Annotations {
  return Object.fromEntries(Object.entries(annotations ?? {}).filter(([name]) => isWanted(name)))
}

/** Characters of history that are kept. */
const longestHistory = 2000

/** The oldest revisions are forgotten when there is no more room. */
function withRevision(history: string | undefined, revision: string): Annotations {
  const revisions = [...(history ? history.split(',') : []), revision]
  while (revisions.length > 1 && revisions.join(',').length > longestHistory) revisions.shift()
  return { [revisionHistoryAnnotation]: revisions.join(',') }
}
