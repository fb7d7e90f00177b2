import type { HeapItem } from '../../base/heap.js'
import type { PodInfo } from '../cache/pod-info.js'

/** In which part of the queue a pod is. It is in exactly one of them. */
export type QueuedPodState = 'active' | 'backoff' | 'unschedulable' | 'in flight' | 'gone'

/** A pod without a node, and the results of its attempts. Only the queue changes it. */
export class QueuedPod implements HeapItem {
  heapIndex = -1
  info: PodInfo
  state: QueuedPodState = 'gone'
  /** When it was last added to the queue, in milliseconds of the monotonic clock. */
  since: number
  attempts = 0
  /** Attempts that found no feasible node. */
  unschedulableAttempts = 0
  /** Attempts in a row that ended with an error. */
  errors = 0
  /** The plugins that rejected it in the last attempt. Empty if there was none, or it ended with an error. */
  unschedulablePlugins: ReadonlySet<string> = new Set()
  /** The PreEnqueue plugin that rejects it. */
  gatingPlugin: string | undefined
  /** When its backoff ends. Only meaningful in the state `backoff`. */
  readyAt = 0
  /** Order of arrival, for pods that arrived in the same moment. */
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

/** Whether `one` is scheduled before `other`. Never true both ways, and true one way for any two pods. */
export type PodOrder = (one: QueuedPod, other: QueuedPod) => boolean
