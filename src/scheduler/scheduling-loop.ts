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
import { schedulerMetrics } from './scheduler-metrics.js'

export interface SchedulingLoopDependencies {
  readonly environment: Environment
  readonly client: Client
  /** Tells people what happens, in the name of a profile. */
  readonly events: (schedulerName: string) => EventRecorder
  readonly profiles: ReadonlyMap<string, SchedulerProfile>
  readonly cache: ClusterCache
  readonly queue: SchedulingQueue
  /** Those outside who have a say in it, in the order in which they are asked. */
  readonly extenders: readonly Extender[]
  /** What the server says of pods. */
  readonly pods: Pick<Informer<Pod>, 'get'>
}

/** So long, in milliseconds, one pod after the other is tried before others in the process have their turn. */
const slice = 4
/** What an Event can say; longer messages are cut. */
const longestNote = 1024

/** Takes one pod after the other from the queue and finds it a place. What is decided is said in the background. */
export class SchedulingLoop {
  readonly attempts = new AttemptLog()
  readonly #parts: SchedulingLoopDependencies
  readonly #statuses: UnscheduledStatusWriter
  readonly #bindings: BindingPool
  readonly #metrics: ReturnType<typeof schedulerMetrics>
  readonly #rescuing = new Set<Promise<void>>()
  /** Where the next pod begins to look for a node. */
  #start = 0
  #sliceBegan = 0

  constructor(parts: SchedulingLoopDependencies) {
    const { environment, client, queue } = parts
    this.#parts = parts
    this.#statuses = new UnscheduledStatusWriter(client, environment)
    this.#bindings = new BindingPool(new Binder(client, environment, parts.extenders), environment, this.#statuses)
    this.#metrics = schedulerMetrics(environment.metrics, () => queue.sizes)
  }

  /** Resolves when the queue is closed and nothing is under way. */
  async run(): Promise<void> {
    const { queue } = this.#parts
    for (let queued = await queue.next(); queued; queued = await queue.next()) {
      await this.#place(queued)
      await this.#giveWay()
    }
    await Promise.all([this.#bindings.idle(), this.#statuses.allFinished(), ...this.#rescuing])
  }

  /** Gives up what is under way. Whether a pod is bound is then for the server to tell. */
  close(): void {
    this.#parts.queue.close()
    this.#bindings.close()
  }

  async #giveWay(): Promise<void> {
    const { clock } = this.#parts.environment
    await this.#bindings.room()
    if (clock.monotonic() - this.#sliceBegan < slice) return
    await new Promise<void>((resolve) => setImmediate(resolve))
    this.#sliceBegan = clock.monotonic()
  }

  async #place(queued: QueuedPod): Promise<void> {
    const { queue, cache, profiles } = this.#parts
    const { pod, uid, key } = queued.info
    const profile = profiles.get(pod.spec.schedulerName ?? '')
    if (!profile || cache.isAssumed(uid)) queue.done(queued)
    else if (pod.metadata.deletionTimestamp !== undefined) {
      this.#tell(pod, 'FailedScheduling', `skip schedule deleting pod: ${key}`)
      queue.done(queued)
    } else await this.#attempt(queued, profile)
  }

  /** Never throws: what goes wrong is told, and tried again. */
  async #attempt(queued: QueuedPod, profile: SchedulerProfile): Promise<void> {
    const { cache, queue, environment } = this.#parts
    const { clock, random } = environment
    const [at, began] = [clock.now(), clock.monotonic()]
    const { nominated } = queue
    const snapshot = cache.snapshot()
    try {
      const { decision, filters, next } = await this.#decide(queued.info, {
        ...{ profile, snapshot, nominated, random },
        start: this.#start,
      })
      this.#start = next
      const attempt = { at, took: clock.monotonic() - began, profile: profile.schedulerName }
      const failed = { decision, snapshot, nominated, filters, random }
      if (decision.node) this.#assume(queued, decision, attempt)
      else await this.#filter(queued, profile, { attempt, failed })
    } catch (error) {
      environment.log.error('a pod could not be tried, and is tried again', { pod: queued.info.key, error })
      this.#metrics.attempted(profile.schedulerName, 'error', clock.monotonic() - began)
      this.#wentWrong(queued, error)
      queue.failed(queued, new Set())
    }
  }

  /** At once, unless somebody outside has a say in it. */
  #decide(pod: PodInfo, circumstances: CycleContext): MaybePromise<CycleResult> {
    const { extenders, environment } = this.#parts
    if (extenders.length === 0) return decide(pod, circumstances)
    return decideWithExtenders(pod, circumstances, { extenders, log: environment.log })
  }

  /** From here on the pod counts on its node. */
  #assume(queued: QueuedPod, decision: SchedulingDecision, attempt: Occasion): void {
    const { cache, queue } = this.#parts
    const nodeName = decision.node!.name
    cache.assume(queued.info, nodeName)
    queue.done(queued)
    this.#metrics.attempted(attempt.profile, 'scheduled', attempt.took)
    this.#note(decision, attempt)
    this.#bindings.bind(queued.info, nodeName, {
      bound: () => this.#bound(queued, nodeName),
      failed: (error) => this.#unbound(queued, nodeName, error),
    })
  }

  #bound(queued: QueuedPod, nodeName: string): void {
    this.#metrics.placed(queued.attempts)
    this.#tell(queued.info.pod, 'Scheduled', `Successfully assigned ${queued.info.key} to ${nodeName}`)
  }

  /** The room is free again, and the pod is tried again, if it is still there and nobody else has placed it. */
  #unbound(queued: QueuedPod, nodeName: string, error: unknown): void {
    const { cache, queue, pods, environment } = this.#parts
    const { uid, key, pod } = queued.info
    environment.log.warn('a pod could not be bound', { pod: key, nodeName, error })
    const wasAssumed = cache.isAssumed(uid)
    cache.forget(uid)
    const object = { ...pod, spec: { ...pod.spec, nodeName } }
    if (wasAssumed) queue.handleEvent({ resource: 'AssignedPod', actions: ['deleted'], object })
    const now = pods.get(key)
    if (!now || now.metadata.uid !== uid || now.spec.nodeName) return
    this.#wentWrong(queued, new Error(`running Bind plugin "DefaultBinder": ${messageOf(error)}`))
    queue.requeue(queued, now)
  }

  async #filter(
    queued: QueuedPod,
    profile: SchedulerProfile,
    { attempt, failed }: { readonly attempt: Occasion; readonly failed: PostFilterContext },
  ): Promise<void> {
    const rescue = await runPostFilterPlugins(profile, failed)
    const message = unschedulableMessage(failed.decision, rescue.message)
    this.#metrics.attempted(attempt.profile, 'unschedulable', attempt.took)
    this.#note(failed.decision, { ...attempt, message })
    this.#explain(queued, { reason: 'Unschedulable', message, nominatedNode: rescue.nominatedNode })
    // Where there was no node, none: then the pod is tried again and again, ever more rarely, and not when the first node appears, which is
    // not ready for pods at that moment. Upstream's.
    const { plugins: refusedBy } = failed.decision.diagnosis
    if (rescue.execute) this.#execute(queued, rescue.execute, refusedBy)
    else this.#parts.queue.failed(queued, refusedBy)
  }

  /** Until that has ended the pod is in flight: what happens meanwhile is not lost on it. */
  #execute(queued: QueuedPod, act: NonNullable<PostFilterResult['execute']>, refusedBy: ReadonlySet<string>): void {
    const { client, environment, queue, events } = this.#parts
    const { pod, key } = queued.info
    const done = act({ client, environment, events: events(pod.spec.schedulerName!) }).then(
      () => queue.failed(queued, refusedBy),
      (error) => {
        environment.log.warn('room could not be made for a pod', { pod: key, error })
        queue.nominated.remove(queued.uid)
        queue.failed(queued, new Set())
      },
    )
    const ended = done.finally(() => this.#rescuing.delete(ended))
    this.#rescuing.add(ended)
  }

  #wentWrong(queued: QueuedPod, error: unknown): void {
    this.#explain(queued, { reason: 'SchedulerError', message: messageOf(error), nominatedNode: '' })
  }

  /** Says to people why the pod has no place yet. */
  #explain(queued: QueuedPod, news: UnscheduledStatus): void {
    const { queue, pods } = this.#parts
    const { info } = queued
    const isGone = queue.get(info.uid) !== queued // no room is kept for it
    if (news.nominatedNode !== undefined) queue.nominated.put(info, isGone ? '' : news.nominatedNode)
    this.#tell(info.pod, 'FailedScheduling', news.message)
    const now = pods.get(info.key)
    if (now?.metadata.uid === info.uid && !now.spec.nodeName) this.#statuses.write(now, news)
  }

  #tell(about: Pod, reason: 'Scheduled' | 'FailedScheduling', message: string): void {
    const type = reason === 'Scheduled' ? 'Normal' : 'Warning'
    this.#parts.events(about.spec.schedulerName!).record({ about, type, reason, message: cut(message) })
  }

  #note(decision: SchedulingDecision, occasion: Occasion): void {
    const attempt = attemptFrom(decision, occasion)
    this.attempts.add(attempt)
    traceAttempt(this.#parts.environment, decision.pod, attempt)
  }
}

/** When an attempt was made, by which profile, and what was told of it. */
type Occasion = Pick<SchedulingAttempt, 'at' | 'took' | 'profile' | 'message'>

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function cut(message: string): string {
  return message.length <= longestNote ? message : `${message.slice(0, longestNote - 4)} ...`
}
