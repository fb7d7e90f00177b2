import type { PodStatus } from '../../api/core/v1/pod/status.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { isMirrorPod, isStaticPod } from '../static/pod-source.js'

/** What is known of one pod whose status is to reach the API server. */
export interface PendingStatus {
  /** As it was last given. */
  pod: Pod
  status: PodStatus
  /** Counts what was set. */
  version: number
  /** Since when there is something that the server has yet to hear, by the monotonic clock. */
  since: number
  /** Nothing of it is left on this node. */
  isFinished: boolean
  /** Which version the server has, and in which of its revisions. */
  writtenVersion?: number
  writtenRevision?: string | undefined
  /** What the server answered last. */
  lastResponse?: Pod
  /** The uid of an object that is gone, or was told to go: nothing more is written of it. */
  deletedUid?: string | undefined
}

/**
 * The newest that is known of the object in the API; undefined of a static pod that has no mirror, and of a pod in whose place another
 * one has come.
 */
export function newestStoredPod(
  { stored }: { readonly stored: (pod: Pod) => Pod | undefined },
  pod: Pod,
  news?: PendingStatus,
): Pod | undefined {
  const isShownByAnother = isStaticPod(pod) && !isMirrorPod(pod)
  const heard = stored(pod) ?? (isShownByAnother ? undefined : pod)
  if (!heard || (!isShownByAnother && heard.metadata.uid !== pod.metadata.uid)) return undefined
  const answered = news?.lastResponse
  if (!answered || answered.metadata.uid !== heard.metadata.uid) return heard
  return revisionOf(answered) > revisionOf(heard) ? answered : heard
}

function revisionOf({ metadata }: Pod): number {
  return Number(metadata.resourceVersion ?? 0)
}
