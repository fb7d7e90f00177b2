import type { PodInfo } from '../cache/pod-info.js'

/** Pods for which room was made on a node, and which are not bound yet. Pods of lower priority must not take that room. */
export interface NominatedPods {
  onNode(nodeName: string): readonly PodInfo[]
}

export const noNominatedPods: NominatedPods = { onNode: () => [] }
