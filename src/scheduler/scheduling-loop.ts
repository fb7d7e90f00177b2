import type { Pod } from '../api/core/v1/pod.js'
import type { Environment } from '../base/environment.js'
import type { MaybePromise } from '../base/maybe-promise.js'
import type { Client } from '../client/client.js'
import type { EventRecorder } from '../client/events/event-recorder.js'
import type { Informer } from '../client/informers/informer.js'
import { AttemptLog, attemptFrom, type SchedulingAttempt } from './attempts/attempt-log.js'
import type { UnscheduledStatus } from './attempts/pod-status.js'
import { UnscheduledStatusWriter } from './attempts/pod-status-writer.js'
import { traceAttempt } from './attempts/trace.js'
import { Binder } from './binding/binder.js'
import { BindingPool } from './binding/binding-pool.js'
import type { ClusterCache } from './cache/cluster-cache.js'
import type { PodInfo } from './cache/pod-info.js'
import { type CycleContext, type CycleResult, decide } from './cycle/cycle.js'
import type { SchedulingDecision } from './cycle/decision.js'
import { runPostFilterPlugins } from './cycle/post-filter.js'
import { unschedulableMessage } from './cycle/unschedulable-message.js'
import { decideWithExtenders } from './extenders/extended-cycle.js'
import type { Extender } from './extenders/extender.js'
import type { PostFilterContext, PostFilterResult } from './framework/plugin.js'
import type { SchedulerProfile } from './framework/profile.js'
import type { QueuedPod } from './queue/queued-pod.js'
import type { SchedulingQueue } from './queue/scheduling-queue.js'
import { type SchedulerMetrics, schedulerMetrics } from './scheduler-metrics.js'

export interface SchedulingLoopDependencies {
  readonly environment: Environment
  readonly client: Client
  /** The recorder of a profile. */
  readonly events: (schedulerName: string) => EventRecorder
  readonly profiles: ReadonlyMap<string, SchedulerProfile>
  readonly cache: ClusterCache
  readonly queue: SchedulingQueue
  /** In the order in which they are called. */
  readonly extenders: readonly Extender[]
  readonly pods: Pick<Informer<Pod>, 'get'>
}

/** After this many milliseconds of scheduling, the rest of the process gets a turn of the event loop. */
const timeSlice = 4
/** The maximum length of the message of an Event. */
const maxMessageLength = 1024

/** Schedules one pod after the other: decides, assumes the pod on its node, and binds it in the background. */
export class SchedulingLoop {
  readonly attempts = new AttemptLog()
  readonly #dependencies: SchedulingLoopDependencies
  readonly #statuses: UnscheduledStatusWriter
  readonly #bindings: BindingPool
  readonly #metrics: SchedulerMetrics
  /** PostFilter results that are being executed. */
  readonly #executing = new Set<Promise<void>>()
  /** The index of the node that the next cycle filters first. */
  #start = 0
  #sliceBegan = 0

  constructor(dependencies: SchedulingLoopDependencies) {
    const { environment, client, queue, extenders } = dependencies
    this.#dependencies = dependencies
    this.#statuses = new UnscheduledStatusWriter(client, environment)
    const binder = new Binder({ client, environment, extenders })
    this.#bindings = new BindingPool(binder, environment, this.#statuses)
    this.#metrics = schedulerMetrics(environment.metrics, () => queue.sizes)
  }

  /** Resolves when the queue is closed and nothing runs in the background. */
  async run(): Promise<void> {
    const { queue } = this.#dependencies
    for (let queued = await queue.next(); queued; queued = await queue.next()) {
      await this.#schedule(queued)
      await this.#yield()
    }
    await Promise.all([this.#bindings.idle(), this.#statuses.allFinished(), ...this.#executing])
  }

  /** Aborts running bindings. Whether their pods are bound, only the API server knows. */
  close(): void {
    this.#dependencies.queue.close()
    this.#bindings.close()
  }

  async #yield(): Promise<void> {
    const { clock } = this.#dependencies.environment
    await this.#bindings.capacity()
    if (clock.monotonic() - this.#sliceBegan < timeSlice) return
    await new Promise<void>((resolve) => setImmediate(resolve))
    this.#sliceBegan = clock.monotonic()
  }

  async #schedule(queued: QueuedPod): Promise<void> {
    const { queue, cache, profiles } = this.#dependencies
    const { pod, uid, key } = queued.info
    const profile = profiles.get(pod.spec.schedulerName ?? '')
    if (!profile || cache.isAssumed(uid)) queue.done(queued)
    else if (pod.metadata.deletionTimestamp !== undefined) {
      this.#recordEvent(pod, 'FailedScheduling', `skip schedule deleting pod: ${key}`)
      queue.done(queued)
    } else await this.#attempt(queued, profile)
  }

  /** Never throws: an error is logged, written to the pod, and the pod is scheduled again. */
  async #attempt(queued: QueuedPod, profile: SchedulerProfile): Promise<void> {
    const { cache, queue, environment } = this.#dependencies
    const { clock, random } = environment
    const [at, began] = [clock.now(), clock.monotonic()]
    const { nominated } = queue
    const snapshot = cache.snapshot()
    try {
      const start = this.#start
      const result = await this.#decide(queued.info, { profile, snapshot, nominated, start, random })
      const { decision, filters, next } = result
      this.#start = next
      const attempt = { at, took: clock.monotonic() - began, profile: profile.schedulerName }
      if (decision.node) this.#assume(queued, decision, { attempt, profile })
      else await this.#postFilter(queued, { decision, snapshot, nominated, filters, random }, { attempt, profile })
    } catch (error) {
      environment.log.error('scheduling attempt failed', { pod: queued.info.key, error })
      this.#metrics.attempted(profile.schedulerName, 'error', clock.monotonic() - began)
      this.#reportError(queued, error)
      queue.failed(queued, new Set())
    }
  }

  /** Synchronous unless an extender has to be called. */
  #decide(pod: PodInfo, context: CycleContext): MaybePromise<CycleResult> {
    const { extenders, environment } = this.#dependencies
    if (extenders.length === 0) return decide(pod, context)
    return decideWithExtenders(pod, context, { extenders, log: environment.log })
  }

  /** From now on the pod counts on its node. */
  #assume(queued: QueuedPod, decision: SchedulingDecision, { attempt, profile }: AttemptContext): void {
    const { cache, queue } = this.#dependencies
    const { info: pod } = queued
    const { name: nodeName } = decision.node!
    cache.assume(pod, nodeName)
    queue.done(queued)
    this.#metrics.attempted(attempt.profile, 'scheduled', attempt.took)
    this.#logAttempt(decision, attempt)
    const onBound = () => this.#bound(queued, nodeName)
    const onFailed = (error: unknown) => this.#bindingFailed(queued, error, { nodeName, profile })
    this.#bindings.bind({ pod, nodeName, profile, onBound, onFailed })
  }

  #bound(queued: QueuedPod, nodeName: string): void {
    this.#metrics.scheduled(queued.attempts)
    this.#recordEvent(queued.info.pod, 'Scheduled', `Successfully assigned ${queued.info.key} to ${nodeName}`)
  }

  /** Frees the room of the pod, and schedules it again if it still exists and has no node. */
  #bindingFailed(
    queued: QueuedPod,
    error: unknown,
    { nodeName, profile }: { readonly nodeName: string; readonly profile: SchedulerProfile },
  ): void {
    const { cache, queue, pods, environment } = this.#dependencies
    const { uid, key, pod } = queued.info
    environment.log.warn('binding failed', { pod: key, nodeName, error })
    const wasAssumed = cache.isAssumed(uid)
    cache.forget(uid)
    const object = { ...pod, spec: { ...pod.spec, nodeName } }
    if (wasAssumed) queue.handleEvent({ resource: 'AssignedPod', actions: ['deleted'], object })
    const now = pods.get(key)
    if (!now || now.metadata.uid !== uid || now.spec.nodeName) return
    this.#reportError(queued, new Error(`running Bind plugin "${profile.bind[0]!.name}": ${messageOf(error)}`))
    queue.requeue(queued, now)
  }

  async #postFilter(
    queued: QueuedPod,
    context: PostFilterContext,
    { attempt, profile }: AttemptContext,
  ): Promise<void> {
    const { decision } = context
    const result = await runPostFilterPlugins(profile, context)
    const message = unschedulableMessage(decision, result.message)
    this.#metrics.attempted(attempt.profile, 'unschedulable', attempt.took)
    this.#logAttempt(decision, { ...attempt, message })
    this.#report(queued, { reason: 'Unschedulable', message, nominatedNode: result.nominatedNode })
    // In a cluster without nodes no plugin rejected the pod. It is then retried with growing backoff, and not when the first node is added,
    // because that node is not ready at that moment. As upstream.
    const { plugins } = decision.diagnosis
    if (result.execute) this.#execute(queued, result.execute, plugins)
    else this.#dependencies.queue.failed(queued, plugins)
  }

  /** The pod stays in flight until the execution has ended, so that no event in the meantime is lost for it. */
  #execute(queued: QueuedPod, execute: NonNullable<PostFilterResult['execute']>, plugins: ReadonlySet<string>): void {
    const { client, environment, queue, events } = this.#dependencies
    const { pod, key } = queued.info
    const executed = execute({ client, environment, events: events(pod.spec.schedulerName!) }).then(
      () => queue.failed(queued, plugins),
      (error) => {
        environment.log.warn('preemption failed', { pod: key, error })
        queue.nominated.remove(queued.uid)
        queue.failed(queued, new Set())
      },
    )
    const ended = executed.finally(() => this.#executing.delete(ended))
    this.#executing.add(ended)
  }

  #reportError(queued: QueuedPod, error: unknown): void {
    this.#report(queued, { reason: 'SchedulerError', message: messageOf(error), nominatedNode: '' })
  }

  /** Writes an Event and the PodScheduled condition. */
  #report(queued: QueuedPod, status: UnscheduledStatus): void {
    const { queue, pods } = this.#dependencies
    const { info } = queued
    const isRemoved = queue.get(info.uid) !== queued // such a pod must not hold a nomination
    if (status.nominatedNode !== undefined) queue.nominated.put(info, isRemoved ? '' : status.nominatedNode)
    this.#recordEvent(info.pod, 'FailedScheduling', status.message)
    const now = pods.get(info.key)
    if (now?.metadata.uid === info.uid && !now.spec.nodeName) this.#statuses.write(now, status)
  }

  #recordEvent(about: Pod, reason: 'Scheduled' | 'FailedScheduling', message: string): void {
    const type = reason === 'Scheduled' ? 'Normal' : 'Warning'
    this.#dependencies.events(about.spec.schedulerName!).record({ about, type, reason, message: truncated(message) })
  }

  #logAttempt(decision: SchedulingDecision, summary: AttemptSummary): void {
    const attempt = attemptFrom(decision, summary)
    this.attempts.add(attempt)
    traceAttempt(this.#dependencies.environment, decision.pod, attempt)
  }
}

type AttemptSummary = Pick<SchedulingAttempt, 'at' | 'took' | 'profile' | 'message'>

interface AttemptContext {
  readonly attempt: AttemptSummary
  readonly profile: SchedulerProfile
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function truncated(message: string): string {
  return message.length <= maxMessageLength ? message : `${message.slice(0, maxMessageLength - 4)} ...`
}
