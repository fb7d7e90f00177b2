import type { Pod } from '../../api/core/v1/pod.js'
import type { Clock, Timer } from '../../base/clock.js'
import { Heap } from '../../base/heap.js'
import { PodInfo } from '../cache/pod-info.js'
import type { ClusterEvent } from '../framework/cluster-event.js'
import type { SchedulerProfile } from '../framework/profile.js'
import { BackoffPods, type PodBackoffOptions } from './backoff-pods.js'
import { InFlight } from './in-flight.js'
import { Nominator } from './nominator.js'
import { podUpdateActions } from './pod-changes.js'
import { isScheduledBefore, QueuedPod } from './queued-pod.js'
import { QueueingHints } from './queueing-hints.js'
import { UnschedulablePods } from './unschedulable-pods.js'

export interface SchedulingQueueOptions extends PodBackoffOptions {
  /** For so long nothing may help a pod before it is tried again all the same: 5 minutes. */
  readonly maxUnschedulableDuration?: number
  readonly report?: (error: unknown) => void
}

export interface SchedulingQueueSizes {
  readonly active: number
  readonly backoff: number
  readonly unschedulable: number
  readonly gated: number
}

const usualLongestWait = 300_000
/** How often it is looked for those who have waited for so long. */
const flushPeriod = 30_000

/**
 * Pods that wait for a node. Each is in one place at any time: active, held back, waiting for something to happen, or in flight, which is
 * from when it is handed out until `done` or `failed`. No pod is ever lost: one that failed comes back by an event that could help it,
 * also one that came while it was in flight, and after five minutes in any case.
 */
export class SchedulingQueue {
  readonly nominated = new Nominator()
  readonly hints: QueueingHints
  readonly #clock: Clock
  readonly #profiles: ReadonlyMap<string, SchedulerProfile>
  readonly #longestWait: number
  readonly #pods = new Map<string, QueuedPod>()
  readonly #active = new Heap<QueuedPod>(isScheduledBefore)
  readonly #backoff: BackoffPods
  readonly #unschedulable: UnschedulablePods
  readonly #inFlight = new InFlight()
  #taker: ((pod: QueuedPod | undefined) => void) | undefined
  #backoffTimer: Timer | undefined
  #flushTimer: Timer | undefined
  #isClosed = false
  #count = 0

  constructor(clock: Clock, profiles: ReadonlyMap<string, SchedulerProfile>, options: SchedulingQueueOptions = {}) {
    this.#clock = clock
    this.#profiles = profiles
    this.#longestWait = options.maxUnschedulableDuration ?? usualLongestWait
    this.#backoff = new BackoffPods(clock, options)
    this.hints = new QueueingHints(profiles.values(), options.report ?? (() => {}))
    this.#unschedulable = new UnschedulablePods(this.hints)
    this.#setFlush()
  }

  get sizes(): SchedulingQueueSizes {
    const gated = [...this.#unschedulable].filter(({ gatingPlugin }) => gatingPlugin !== undefined).length
    const unschedulable = this.#unschedulable.size - gated
    return { active: this.#active.size, backoff: this.#backoff.size, unschedulable, gated }
  }

  get(uid: string): QueuedPod | undefined {
    return this.#pods.get(uid)
  }

  /** How much of what happened is remembered for pods in flight: nothing while none is. */
  get rememberedEvents(): number {
    return this.#inFlight.eventCount
  }

  /** A pod that has no node yet. One that is known is updated. */
  addOrUpdate(pod: Pod): void {
    const uid = pod.metadata.uid!
    const known = this.#pods.get(uid)
    if (known) this.#update(known, pod)
    else this.#add(pod)
    this.#hand()
  }

  #add(pod: Pod): void {
    const queued = new QueuedPod(new PodInfo(pod), this.#clock.monotonic(), this.#count++)
    this.#pods.set(queued.uid, queued)
    this.nominated.put(queued.info, pod.status?.nominatedNodeName)
    this.#activate(queued)
  }

  #update(queued: QueuedPod, pod: Pod): void {
    const old = queued.info.pod
    const actions = podUpdateActions(old, pod)
    this.#renew(queued, pod)
    if (actions.length === 0) return
    const event = { resource: 'WaitingPod', actions, object: pod, old } as const
    if (queued.state === 'in flight') this.#inFlight.note(event)
    else if (queued.state === 'unschedulable' && this.hints.couldHelp(queued, event)) this.#retry(queued)
  }

  #renew(queued: QueuedPod, pod: Pod): void {
    const { state } = queued
    // Its priority cannot change; should it, the order must not be upset.
    const isMoved = (pod.spec.priority ?? 0) !== queued.info.priority && state === 'active'
    if (isMoved) this.#active.remove(queued)
    const { nominatedNodeName: before } = queued.info.pod.status ?? {}
    const { nominatedNodeName: now } = pod.status ?? {}
    queued.info = queued.info.updated(pod)
    if (isMoved) this.#active.push(queued)
    // What was decided here counts until the server has heard of it.
    const isNews = now !== before
    this.nominated.put(queued.info, isNews ? now : (this.nominated.nodeOf(queued.uid) ?? now))
  }

  /** It is gone, or has a node. */
  remove(uid: string): void {
    this.nominated.remove(uid)
    const queued = this.#pods.get(uid)
    if (!queued) return
    this.#leave(queued)
    this.#pods.delete(uid)
    this.#inFlight.end(uid)
  }

  /** Something happened. Those that it could help are tried again; those in flight look at it when they come back. */
  handleEvent(event: ClusterEvent): void {
    this.#inFlight.note(event)
    for (const queued of this.#unschedulable.helpedBy(event)) this.#retry(queued)
    this.#hand()
  }

  /** The next pod, if there is one. It is in flight from now on. */
  take(): QueuedPod | undefined {
    if (this.#isClosed) return undefined
    const queued = this.#active.pop() ?? this.#backoff.takeEarly()
    if (!queued) return undefined
    queued.state = 'in flight'
    queued.attempts++
    queued.unschedulablePlugins = new Set()
    this.#inFlight.begin(queued.uid)
    return queued
  }

  /** The same, as soon as there is one; undefined when the queue is closed. Only one can wait. */
  async next(): Promise<QueuedPod | undefined> {
    const queued = this.take()
    if (queued || this.#isClosed) return queued
    if (this.#taker) throw new Error('somebody waits for the next pod already')
    return new Promise((resolve) => {
      this.#taker = resolve
    })
  }

  /** The pod needs no place in the queue any more: it has been decided where it goes. */
  done(queued: QueuedPod): void {
    this.#inFlight.end(queued.uid)
    if (this.#pods.get(queued.uid) !== queued) return
    queued.state = 'gone'
    this.#pods.delete(queued.uid)
    this.nominated.remove(queued.uid)
  }

  /** No node would take it, because of these plugins; or, if there are none, something else went wrong. */
  failed(queued: QueuedPod, refusedBy: ReadonlySet<string>): void {
    const happened = this.#inFlight.since(queued.uid)
    this.#inFlight.end(queued.uid)
    if (this.#pods.get(queued.uid) !== queued) return // it was removed meanwhile
    queued.since = this.#clock.monotonic()
    queued.unschedulablePlugins = refusedBy
    queued.errors = refusedBy.size === 0 ? queued.errors + 1 : 0
    if (refusedBy.size > 0) queued.unschedulableAttempts++
    if (refusedBy.size === 0 || happened.some((event) => this.hints.couldHelp(queued, event))) this.#retry(queued)
    else this.#wait(queued)
    this.#hand()
  }

  /** Puts a pod back that was done with: it did not get where it was to go. @param pod as it is now */
  requeue(queued: QueuedPod, pod: Pod): void {
    queued.info = queued.info.updated(pod)
    this.#pods.set(queued.uid, queued)
    this.failed(queued, new Set())
  }

  close(): void {
    this.#isClosed = true
    this.#backoffTimer?.cancel()
    this.#flushTimer?.cancel()
    this.#taker?.(undefined)
    this.#taker = undefined
  }

  /** To be tried again: at once, or when the time is over for which it is held back. */
  #retry(queued: QueuedPod): void {
    if (!this.#backoff.isHeldBack(queued)) this.#activate(queued)
    else if (this.#isGated(queued)) this.#wait(queued)
    else {
      this.#leave(queued)
      queued.state = 'backoff'
      this.#backoff.add(queued)
      this.#setBackoffTimer()
    }
  }

  #activate(queued: QueuedPod): void {
    if (this.#isGated(queued)) this.#wait(queued)
    else {
      this.#leave(queued)
      queued.state = 'active'
      this.#active.push(queued)
    }
  }

  #wait(queued: QueuedPod): void {
    this.#leave(queued)
    if (queued.gatingPlugin !== undefined) queued.unschedulablePlugins = new Set([queued.gatingPlugin])
    queued.state = 'unschedulable'
    this.#unschedulable.add(queued)
  }

  #leave(queued: QueuedPod): void {
    if (queued.state === 'active') this.#active.remove(queued)
    else if (queued.state === 'backoff') this.#backoff.remove(queued)
    else if (queued.state === 'unschedulable') this.#unschedulable.remove(queued)
    queued.state = 'gone'
  }

  #isGated(queued: QueuedPod): boolean {
    const profile = this.#profiles.get(queued.info.pod.spec.schedulerName ?? '')
    const refusing = profile?.preEnqueue.find((plugin) => plugin.preEnqueue?.(queued.info))
    queued.gatingPlugin = refusing?.name
    return refusing !== undefined
  }

  /** Somebody may wait for what there is now. Only when all that changes at once has changed: the most important pod comes first. */
  #hand(): void {
    const taker = this.#taker
    const queued = taker && this.take()
    if (!queued) return
    this.#taker = undefined
    taker(queued)
  }

  #setBackoffTimer(): void {
    this.#backoffTimer?.cancel()
    const delay = this.#backoff.untilReady()
    this.#backoffTimer = delay === undefined ? undefined : this.#clock.timer(delay, () => this.#endBackoff())
  }

  #endBackoff(): void {
    for (let ready = this.#backoff.takeReady(); ready; ready = this.#backoff.takeReady()) {
      ready.state = 'gone'
      this.#activate(ready)
    }
    this.#setBackoffTimer()
    this.#hand()
  }

  #setFlush(): void {
    this.#flushTimer = this.#clock.timer(flushPeriod, () => {
      const latest = this.#clock.monotonic() - this.#longestWait
      for (const queued of [...this.#unschedulable]) if (queued.since < latest) this.#retry(queued)
      this.#setFlush()
      this.#hand()
    })
  }
}
