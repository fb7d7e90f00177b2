import type { PodStatus } from '../../api/core/v1/pod/status.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { isMirrorPod, isStaticPod } from '../static/pod-source.js'

/** A pod status on its way to the API server. */
export interface PendingStatus {
  pod: Pod
  status: PodStatus
  /** Incremented with every status that is set. */
  version: number
  /** When the oldest unwritten change was set, on the monotonic clock. */
  since: number
  /** True if the pod is cleaned up on this node. */
  isFinished: boolean
  /** The version that the server has, and its resourceVersion. */
  writtenVersion?: number
  writtenRevision?: string | undefined
  /** The object of the server's last response. */
  lastResponse?: Pod
  /** Uid of an object that was deleted. It is not written again. */
  deletedUid?: string | undefined
}

/** Returns the newest known object in the API. Undefined for a static pod without a mirror, and if another pod has taken the name. */
export function newestStoredPod(
  { stored }: { readonly stored: (pod: Pod) => Pod | undefined },
  pod: Pod,
  pending?: PendingStatus,
): Pod | undefined {
  const isShownByAnother = isStaticPod(pod) && !isMirrorPod(pod)
  const known = stored(pod) ?? (isShownByAnother ? undefined : pod)
  if (!known || (!isShownByAnother && known.metadata.uid !== pod.metadata.uid)) return undefined
  const lastResponse = pending?.lastResponse
  if (!lastResponse || lastResponse.metadata.uid !== known.metadata.uid) return known
  return revisionOf(lastResponse) > revisionOf(known) ? lastResponse : known
}

function revisionOf({ metadata }: Pod): number {
  return Number(metadata.resourceVersion ?? 0)
}
