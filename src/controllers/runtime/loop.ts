import { hasReason } from '../../api/errors.js'
import type { TraceStep } from '../../base/tracing.js'
import { WorkQueue } from '../../base/work-queue.js'
import { Client } from '../../client/client.js'
import type { ControllerDependencies, RunningController } from './controller.js'
import { OwnWrites } from './own-writes.js'
import type { ReconcileResult, ReconcilerOptions } from './reconcile.js'

/** Wires queue, informers and back-off, once for all loops. */
export function startLoop(parts: ReconcilerOptions, surroundings: ControllerDependencies): RunningController {
  return new Loop(parts, surroundings)
}

class Loop implements RunningController {
  readonly #parts: ReconcilerOptions
  readonly #surroundings: ControllerDependencies
  readonly #queue: WorkQueue
  readonly #ownWrites: OwnWrites
  readonly #ending = new AbortController()
  readonly #unsubscribe: readonly (() => void)[]

  constructor(parts: ReconcilerOptions, surroundings: ControllerDependencies) {
    const { environment, informers } = surroundings
    this.#parts = parts
    this.#surroundings = surroundings
    this.#queue = new WorkQueue(environment, { name: parts.name })
    const watched = parts.watched.map((each) => ({ ...each, informer: each.informer(informers) }))
    this.#ownWrites = new OwnWrites(watched, environment)
    for (const key of parts.initialKeys) this.#queue.add(key)
    this.#unsubscribe = watched.map(({ informer, keysOf }) =>
      informer.onChange((change) => {
        for (const key of keysOf(change, informers)) this.#queue.add(key)
      }),
    )
    const synced = Promise.all(watched.map(({ informer }) => informer.synced))
    synced.then(
      () => this.#work(),
      (error) => environment.log.error('a control loop could not begin', { controller: parts.name, error }),
    )
  }

  #work(): void {
    for (let worker = 0; worker < this.#parts.workers; worker++) void this.#worker()
  }

  /** Ends when the queue is closed. */
  async #worker(): Promise<void> {
    for await (const key of this.#queue.keys()) await this.#lookAt(key)
  }

  /** Never throws: what fails is tried again later. The key is done when the informers show what was written for it. */
  async #lookAt(key: string): Promise<void> {
    const { informers, events, environment, transport } = this.#surroundings
    const { signal } = this.#ending
    const writes = this.#ownWrites.begin()
    const client = new Client(writes.observe(transport), { clock: environment.clock })
    const began = environment.clock.monotonic()
    const context = {
      client,
      informers,
      events,
      environment,
      signal,
      enqueue: (other: string) => this.#queue.add(other),
    }
    try {
      const outcome = await this.#parts.reconcile(key, context)
      this.#succeeded(key, outcome ?? {})
      const decision = writes.count === 0 ? 'nothing to do' : `wrote ${writes.count}`
      this.#report(key, began, { decision, ...outcome?.trace })
    } catch (error) {
      this.#failed(key, error)
      this.#report(key, began, { decision: 'failed', reason: String(error) })
    }
    await writes.seen(signal)
  }

  #succeeded(key: string, { requeueAfter }: ReconcileResult): void {
    this.#queue.forget(key)
    if (requeueAfter !== undefined) this.#queue.addAfter(key, requeueAfter)
  }

  #failed(key: string, error: unknown): void {
    const { log } = this.#surroundings.environment
    if (this.#ending.signal.aborted) return
    // Somebody else wrote at the same time, or took it away: nothing to worry about, the next look sees both. And what fails again
    // and again is told once.
    const isUsual = hasReason(error, 'Conflict') || hasReason(error, 'NotFound') || this.#queue.failures(key) > 0
    log[isUsual ? 'debug' : 'warn']('a control loop failed and tries again', { key, error })
    this.#queue.addRateLimited(key)
  }

  #report(key: string, began: number, told: Pick<TraceStep, 'subject' | 'decision' | 'reason'>): void {
    const { clock, tracer } = this.#surroundings.environment
    if (!tracer.active) return
    const took = clock.monotonic() - began
    const at = clock.now() - Math.round(took)
    const [name = '', namespace] = key.split('/').reverse()
    const subject = { kind: this.#parts.watched[0]?.place.kind ?? '', name, ...(namespace && { namespace }) }
    tracer.report({ at, took, component: this.#parts.name, stage: 'reconcile', subject, ...told })
  }

  async close(): Promise<void> {
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    this.#ending.abort()
    this.#ownWrites.close()
    await this.#queue.close()
  }
}
