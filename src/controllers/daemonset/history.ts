/** The revisions of a set: what it described before, so that it can go back. */
import type { ControllerRevision } from '../../api/apps/v1/controller-revision.js'
import type { DaemonSet } from '../../api/apps/v1/daemon-set.js'
import { isSame } from '../../api/validation/immutability.js'
import type { Given } from '../../client/resource-client.js'
import { templateHash } from '../pods/template.js'
import { controllerReference } from '../runtime/owners.js'
import { revisionHashLabel } from './daemon-pod.js'

export interface History {
  /** Those that say what the set says now, the latest first: one, unless two loops ran at once. */
  readonly current: readonly ControllerRevision[]
  /** The oldest first. */
  readonly old: readonly ControllerRevision[]
  /** The number that the current one should have. */
  readonly number: number
}

export function historyOf(set: DaemonSet, revisions: readonly ControllerRevision[]): History {
  const byAge = [...revisions].sort((left, right) => left.revision - right.revision)
  const current = byAge.filter((revision) => isOf(set, revision)).reverse()
  const old = byAge.filter((revision) => !isOf(set, revision))
  return { current, old, number: (old.at(-1)?.revision ?? 0) + 1 }
}

export function isOf(set: DaemonSet, { data }: ControllerRevision): boolean {
  return isSame(data, revisionData(set))
}

/** A patch that leads back to the template. */
function revisionData({ spec }: DaemonSet): object {
  return { spec: { template: { ...spec.template, $patch: 'replace' } } }
}

export function newRevision(set: DaemonSet, number: number): Given<ControllerRevision> {
  const { name, namespace, annotations } = set.metadata
  const { template } = set.spec
  const hash = templateHash(template, set.status.collisionCount)
  return {
    metadata: {
      name: `${name}-${hash}`,
      namespace: namespace!,
      labels: { ...template.metadata?.labels, [revisionHashLabel]: hash },
      ...(annotations && { annotations }),
      ownerReferences: [controllerReference(set)],
    },
    data: revisionData(set) as NonNullable<ControllerRevision['data']>,
    revision: number,
  }
}

export function hashOf({ metadata }: ControllerRevision): string {
  return metadata.labels?.[revisionHashLabel] ?? ''
}

/** Old revisions beyond the limit, the oldest first; none of which a pod is left. */
export function surplus(set: DaemonSet, old: readonly ControllerRevision[], liveHashes: ReadonlySet<string>) {
  const tooMany = old.length - (set.spec.revisionHistoryLimit ?? 10)
  return old.filter((revision) => !liveHashes.has(hashOf(revision))).slice(0, Math.max(0, tooMany))
}
