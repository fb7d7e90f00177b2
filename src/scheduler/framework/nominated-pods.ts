import type { PodInfo } from '../cache/pod-info.js'

/** Pods that wait for room that was made for them: where they are going to be, no pod that matters less may take it. */
export interface NominatedPods {
  onNode(nodeName: string): readonly PodInfo[]
}

export const noNominatedPods: NominatedPods = { onNode: () => [] }
