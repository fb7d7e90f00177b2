/** The revisions of a DaemonSet: the templates that it had before, for `kubectl rollout undo`. */
import type { ControllerRevision } from '../../api/apps/v1/controller-revision.js'
import type { DaemonSet } from '../../api/apps/v1/daemon-set.js'
import { isSame } from '../../api/validation/immutability.js'
import type { Given } from '../../client/resource-client.js'
import { templateHash } from '../pods/template.js'
import { controllerReference } from '../runtime/owners.js'
import { revisionHashLabel } from './daemon-pod.js'

export interface RevisionHistory {
  /** The revisions of the current template, latest first: one, unless two controllers ran at the same time. */
  readonly current: readonly ControllerRevision[]
  /** The revisions of earlier templates, oldest first. */
  readonly old: readonly ControllerRevision[]
  /** The number that the revision of the current template should have. */
  readonly number: number
}

export function historyOf(set: DaemonSet, revisions: readonly ControllerRevision[]): RevisionHistory {
  const byAge = [...revisions].sort((left, right) => left.revision - right.revision)
  const current = byAge.filter((revision) => isRevisionOf(set, revision)).reverse()
  const old = byAge.filter((revision) => !isRevisionOf(set, revision))
  return { current, old, number: (old.at(-1)?.revision ?? 0) + 1 }
}

export function isRevisionOf(set: DaemonSet, { data }: ControllerRevision): boolean {
  return isSame(data, revisionData(set))
}

/** A patch that restores the template. */
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

export function revisionHash({ metadata }: ControllerRevision): string {
  return metadata.labels?.[revisionHashLabel] ?? ''
}

/** Revisions without hash, labelled with their name, which is unique as well. Older versions created such revisions. */
export function unlabelledRevisions(revisions: readonly ControllerRevision[]): readonly ControllerRevision[] {
  return revisions
    .filter((revision) => revisionHash(revision) === '')
    .map((revision) => {
      const { metadata } = revision
      const labels = { ...metadata.labels, [revisionHashLabel]: metadata.name! }
      return { ...revision, metadata: { ...metadata, labels } }
    })
}

/** Old revisions beyond the limit, oldest first, without those that pods have. */
export function surplusRevisions(set: DaemonSet, old: readonly ControllerRevision[], liveHashes: ReadonlySet<string>) {
  const tooMany = old.length - (set.spec.revisionHistoryLimit ?? 10)
  return old.filter((revision) => !liveHashes.has(revisionHash(revision))).slice(0, Math.max(0, tooMany))
}
