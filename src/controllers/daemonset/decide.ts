import type { ControllerRevision } from '../../api/apps/v1/controller-revision.js'
import type { DaemonSet, DaemonSetStatus } from '../../api/apps/v1/daemon-set.js'
import type { Node } from '../../api/core/v1/node.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { isSame } from '../../api/validation/immutability.js'
import type { Given } from '../../client/resource-client.js'
import { nextAvailability } from '../pods/readiness.js'
import { revisionHashLabel } from './daemon-pod.js'
import { historyOf, newRevision, revisionHash, surplusRevisions, unlabelledRevisions } from './history.js'
import { layoutOf } from './layout.js'
import { type EndedPod, type PodActions, podChanges } from './pod-changes.js'
import { rollingUpdateStep } from './rolling-update.js'
import { daemonSetStatus } from './status.js'

/** A reconcile has three stages: labels of revisions, the revision of the current template, and pods, which need its hash. */
export type DaemonSetObservation =
  | { readonly stage: 'empty selector'; readonly set: DaemonSet }
  | ({ readonly stage: 'labels' | 'revision' } & ObservedObjects)
  | ({
      readonly stage: 'pods'
      /** The hash of the revision of the current template. */
      readonly hash: string
    } & ObservedObjects)

export interface ObservedObjects {
  readonly set: DaemonSet
  readonly pods: readonly Pod[]
  readonly revisions: readonly ControllerRevision[]
  readonly nodes: readonly Node[]
  /** Milliseconds until a failed pod may be replaced, by node: a pod that fails at once is not created again at once. */
  readonly failureDelays: ReadonlyMap<string, number>
  readonly now: number
}

export type DaemonSetDecision =
  | { readonly do: 'reject empty selector' }
  | { readonly do: 'label revisions'; readonly revisions: readonly ControllerRevision[] }
  | { readonly do: 'create revision'; readonly revision: Given<ControllerRevision> }
  | RevisionUpdate
  | DaemonPodDecision

export interface RevisionUpdate {
  readonly do: 'update revision'
  readonly hash: string
  /** Pods of duplicate revisions. They get the hash of the revision that stays. */
  readonly relabel: readonly Pod[]
  readonly duplicates: readonly ControllerRevision[]
  /** The revision with the highest number, if it does not have it yet. */
  readonly renumbered: ControllerRevision | undefined
}

export interface DaemonPodDecision extends PodActions {
  readonly do: 'change pods'
  readonly hash: string
  readonly ended: readonly EndedPod[]
  /** Old revisions to delete. */
  readonly surplus: readonly ControllerRevision[]
  /** Undefined if it has not changed. */
  readonly status: DaemonSetStatus | undefined
  readonly requeueAfter: number | undefined
}

export function decide(observation: DaemonSetObservation): DaemonSetDecision {
  switch (observation.stage) {
    case 'empty selector':
      return { do: 'reject empty selector' }
    case 'labels': {
      const revisions = unlabelledRevisions(observation.revisions)
      if (revisions.length > 0) return { do: 'label revisions', revisions }
      return decideRevision(observation)
    }
    case 'revision':
      return decideRevision(observation)
    case 'pods':
      return decidePods(observation)
  }
}

/** Keeps one revision of the current template, with the highest number. */
function decideRevision(observed: ObservedObjects): DaemonSetDecision {
  const { set, pods, revisions } = observed
  const { current, number } = historyOf(set, revisions)
  const [kept, ...duplicates] = current
  if (!kept) return { do: 'create revision', revision: newRevision(set, number) }
  const hash = revisionHash(kept)
  const isRenumbered = kept.revision < number
  if (duplicates.length === 0 && !isRenumbered) return decidePods({ ...observed, hash })
  const duplicateHashes = new Set(duplicates.map(revisionHash))
  return {
    do: 'update revision',
    hash,
    relabel: pods.filter(({ metadata }) => duplicateHashes.has(metadata.labels?.[revisionHashLabel] ?? '')),
    duplicates,
    renumbered: isRenumbered ? { ...kept, revision: number } : undefined,
  }
}

function decidePods(observed: ObservedObjects & { readonly hash: string }): DaemonPodDecision {
  const { set, hash, nodes, pods, revisions, failureDelays, now } = observed
  const layout = layoutOf(set, { hash, nodes, pods, now })
  const changes = podChanges(layout, failureDelays)
  // One step at a time: an update continues when no pod has to be created or deleted for another reason.
  const isUpdating = isIdle(changes) && set.spec.updateStrategy?.type === 'RollingUpdate'
  const { create, remove } = isUpdating ? rollingUpdateStep(layout) : changes
  const liveHashes = new Set(pods.map(({ metadata }) => metadata.labels?.[revisionHashLabel] ?? ''))
  const status = daemonSetStatus(layout)
  const waits = [changes.after, nextAvailability(pods, set.spec.minReadySeconds ?? 0, now)]
  const known = waits.filter((wait) => wait !== undefined)
  return {
    do: 'change pods',
    hash,
    create: create.slice(0, burst),
    remove: remove.slice(0, burst),
    ended: changes.ended,
    surplus: surplusRevisions(set, historyOf(set, revisions).old, liveHashes),
    status: isSame(status, set.status) ? undefined : status,
    requeueAfter: known.length > 0 ? Math.min(...known) : undefined,
  }
}

/** The most pods that are created or deleted in one reconcile, so that a large set does not starve the others. */
const burst = 250

function isIdle({ create, remove }: PodActions): boolean {
  return create.length === 0 && remove.length === 0
}
