import type { HeapItem } from '../../base/heap.js'
import type { PodInfo } from '../cache/pod-info.js'

/** Where a pod is that waits: it is in exactly one of these. */
export type QueuedPodState = 'active' | 'backoff' | 'unschedulable' | 'in flight' | 'gone'

/** A pod that waits to be placed, and what became of it so far. The queue changes it, nobody else does. */
export class QueuedPod implements HeapItem {
  heapIndex = -1
  info: PodInfo
  state: QueuedPodState = 'gone'
  /** Milliseconds of the clock at which it was last put into the queue. */
  since: number
  /** How often it was tried. */
  attempts = 0
  /** How often no node would do. */
  unschedulableAttempts = 0
  /** How often in a row something else went wrong. */
  errors = 0
  /** The plugins that refused it, the last time that it was tried. None if it was not tried, or something else went wrong. */
  unschedulablePlugins: ReadonlySet<string> = new Set()
  /** The plugin that keeps it from being tried. */
  gatingPlugin: string | undefined
  /** When it can be tried again; meaningful while it is held back. */
  readyAt = 0
  /** Tells apart pods that came at the same moment: who came first is first. */
  readonly number: number

  constructor(info: PodInfo, since: number, number: number) {
    this.info = info
    this.since = since
    this.number = number
  }

  get uid(): string {
    return this.info.uid
  }
}

/** Who matters more is first; among equals, who has waited longer. */
export function isScheduledBefore(one: QueuedPod, other: QueuedPod): boolean {
  if (one.info.priority !== other.info.priority) return one.info.priority > other.info.priority
  return one.since === other.since ? one.number < other.number : one.since < other.since
}
