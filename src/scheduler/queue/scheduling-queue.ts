import type { Pod } from '../../api/core/v1/pod.js'
import type { Clock, Timer } from '../../base/clock.js'
import { Heap } from '../../base/heap.js'
import { AffinityTermsCache } from '../cache/affinity-terms.js'
import { PodInfo } from '../cache/pod-info.js'
import type { ClusterEvent } from '../framework/cluster-event.js'
import type { SchedulerProfile } from '../framework/profile.js'
import { podUpdateActions } from '../framework/update-actions.js'
import { BackoffPods, type PodBackoffOptions } from './backoff-pods.js'
import { InFlight } from './in-flight.js'
import { Nominator } from './nominator.js'
import { type PodOrder, QueuedPod } from './queued-pod.js'
import { QueueingHints } from './queueing-hints.js'
import { UnschedulablePods } from './unschedulable-pods.js'

export interface SchedulingQueueOptions extends PodBackoffOptions {
  /** An unschedulable pod is scheduled again after this many milliseconds even if no event has helped it; 5 minutes by default. */
  readonly maxUnschedulableDuration?: number
  /** Receives the errors of queueing hints. */
  readonly report?: (error: unknown) => void
  readonly affinityTerms?: AffinityTermsCache
}

export interface SchedulingQueueSizes {
  readonly active: number
  readonly backoff: number
  readonly unschedulable: number
  readonly gated: number
}

const defaultMaxUnschedulableDuration = 300_000
/** How often pods that have reached it are looked for, in milliseconds. */
const flushPeriod = 30_000

/**
 * Pods without a node. A pod is active, backing off, unschedulable, or in flight: from `next` or `take` until `done` or `failed`. No pod is
 * lost: an unschedulable pod comes back with an event that can help it, also one that happened while it was in flight, and at the latest
 * after `maxUnschedulableDuration`.
 */
export class SchedulingQueue {
  readonly nominated = new Nominator()
  readonly hints: QueueingHints
  readonly #clock: Clock
  readonly #profiles: ReadonlyMap<string, SchedulerProfile>
  readonly #maxUnschedulableDuration: number
  readonly #affinityTerms: AffinityTermsCache
  readonly #pods = new Map<string, QueuedPod>()
  readonly #active: Heap<QueuedPod>
  readonly #backoff: BackoffPods
  readonly #unschedulable: UnschedulablePods
  readonly #inFlight = new InFlight()
  /** Resolves the pending `next`. */
  #taker: ((pod: QueuedPod | undefined) => void) | undefined
  #backoffTimer: Timer | undefined
  #flushTimer: Timer | undefined
  #isClosed = false
  #count = 0

  constructor(clock: Clock, profiles: ReadonlyMap<string, SchedulerProfile>, options: SchedulingQueueOptions = {}) {
    const { maxUnschedulableDuration = defaultMaxUnschedulableDuration, report = () => {} } = options
    const isBefore = podOrder(profiles)
    this.#clock = clock
    this.#profiles = profiles
    this.#maxUnschedulableDuration = maxUnschedulableDuration
    this.#affinityTerms = options.affinityTerms ?? new AffinityTermsCache()
    this.#active = new Heap(isBefore)
    this.#backoff = new BackoffPods(clock, isBefore, options)
    this.hints = new QueueingHints(profiles.values(), report)
    this.#unschedulable = new UnschedulablePods(this.hints)
    this.#setFlushTimer()
  }

  get sizes(): SchedulingQueueSizes {
    const gated = [...this.#unschedulable].filter(({ gatingPlugin }) => gatingPlugin !== undefined).length
    const unschedulable = this.#unschedulable.size - gated
    return { active: this.#active.size, backoff: this.#backoff.size, unschedulable, gated }
  }

  get(uid: string): QueuedPod | undefined {
    return this.#pods.get(uid)
  }

  /** How many events are kept for pods in flight: 0 while there are none. */
  get rememberedEvents(): number {
    return this.#inFlight.eventCount
  }

  /** A pod without a node. */
  addOrUpdate(pod: Pod): void {
    const known = this.#pods.get(pod.metadata.uid!)
    if (known) this.#update(known, pod)
    else this.#add(pod)
    this.#resolveTaker()
  }

  #add(pod: Pod): void {
    const queued = new QueuedPod(new PodInfo(pod, this.#affinityTerms), this.#clock.monotonic(), this.#count++)
    this.#pods.set(queued.uid, queued)
    this.nominated.put(queued.info, pod.status?.nominatedNodeName)
    this.#activate(queued)
  }

  #update(queued: QueuedPod, pod: Pod): void {
    const old = queued.info.pod
    const actions = podUpdateActions(old, pod)
    this.#replaceInfo(queued, pod)
    if (actions.length === 0) return
    const event = { resource: 'UnscheduledPod', actions, object: pod, old } as const
    if (queued.state === 'in flight') this.#inFlight.record(event)
    else if (queued.state === 'unschedulable' && this.hints.isHelpful(queued, event)) this.#retry(queued)
  }

  #replaceInfo(queued: QueuedPod, pod: Pod): void {
    // The API forbids a change of the priority. If it changes all the same, the heap must stay in order.
    const isReordered = (pod.spec.priority ?? 0) !== queued.info.priority && queued.state === 'active'
    if (isReordered) this.#active.remove(queued)
    const { nominatedNodeName: before } = queued.info.pod.status ?? {}
    const { nominatedNodeName: now } = pod.status ?? {}
    queued.info = queued.info.updated(pod, this.#affinityTerms)
    if (isReordered) this.#active.push(queued)
    // A nomination of this scheduler holds until the API server reports another one.
    const isReported = now !== before
    this.nominated.put(queued.info, isReported ? now : (this.nominated.nodeOf(queued.uid) ?? now))
  }

  /** The pod is deleted, or has a node. */
  remove(uid: string): void {
    this.nominated.remove(uid)
    const queued = this.#pods.get(uid)
    if (!queued) return
    this.#leave(queued)
    this.#pods.delete(uid)
    this.#inFlight.end(uid)
  }

  /** Moves the unschedulable pods that the event can help. Pods in flight are checked when they come back. */
  handleEvent(event: ClusterEvent): void {
    this.#inFlight.record(event)
    for (const queued of this.#unschedulable.helpedBy(event)) this.#retry(queued)
    this.#resolveTaker()
  }

  /** The next pod, which is then in flight; undefined if there is none. */
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

  /** Waits for the next pod; undefined when the queue is closed. Must not be called again before it has resolved. */
  async next(): Promise<QueuedPod | undefined> {
    const queued = this.take()
    if (queued || this.#isClosed) return queued
    if (this.#taker) throw new Error('another caller already waits for the next pod')
    return new Promise((resolve) => {
      this.#taker = resolve
    })
  }

  /** The pod leaves the queue: a node was chosen for it, or it must not be scheduled. */
  done(queued: QueuedPod): void {
    this.#inFlight.end(queued.uid)
    if (this.#pods.get(queued.uid) !== queued) return
    queued.state = 'gone'
    this.#pods.delete(queued.uid)
    this.nominated.remove(queued.uid)
  }

  /** These plugins rejected the pod. If there are none, the attempt ended with an error. */
  failed(queued: QueuedPod, plugins: ReadonlySet<string>): void {
    const events = this.#inFlight.since(queued.uid)
    this.#inFlight.end(queued.uid)
    if (this.#pods.get(queued.uid) !== queued) return // removed in the meantime
    queued.since = this.#clock.monotonic()
    queued.unschedulablePlugins = plugins
    queued.errors = plugins.size === 0 ? queued.errors + 1 : 0
    if (plugins.size > 0) queued.unschedulableAttempts++
    if (plugins.size === 0 || events.some((event) => this.hints.isHelpful(queued, event))) this.#retry(queued)
    else this.#wait(queued)
    this.#resolveTaker()
  }

  /** Takes back a pod whose binding failed after `done`. @param pod its current state */
  requeue(queued: QueuedPod, pod: Pod): void {
    queued.info = queued.info.updated(pod, this.#affinityTerms)
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

  /** Schedules the pod again: at once, or when its backoff ends. */
  #retry(queued: QueuedPod): void {
    if (!this.#backoff.isBackingOff(queued)) this.#activate(queued)
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
    const gating = profile?.preEnqueue.find((plugin) => plugin.preEnqueue?.(queued.info))
    queued.gatingPlugin = gating?.name
    return gating !== undefined
  }

  /** Called only when all changes of an event are made, so that the pending `next` gets the first pod of the new order. */
  #resolveTaker(): void {
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
    this.#resolveTaker()
  }

  #setFlushTimer(): void {
    this.#flushTimer = this.#clock.timer(flushPeriod, () => {
      const latest = this.#clock.monotonic() - this.#maxUnschedulableDuration
      for (const queued of [...this.#unschedulable]) if (queued.since < latest) this.#retry(queued)
      this.#setFlushTimer()
      this.#resolveTaker()
    })
  }
}

/** By the QueueSort plugin, which all profiles share because they share the queue, then by arrival. */
function podOrder(profiles: ReadonlyMap<string, SchedulerProfile>): PodOrder {
  const [profile] = profiles.values()
  const [plugin] = profile?.queueSort ?? []
  return (one, other) => {
    const order = plugin?.queueSort?.(one, other) ?? 0
    return order === 0 ? one.number < other.number : order < 0
  }
}
