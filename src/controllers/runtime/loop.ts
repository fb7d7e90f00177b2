import { hasReason } from '../../api/errors.js'
import type { TraceStep } from '../../base/tracing.js'
import { WorkQueue } from '../../base/work-queue.js'
import { Client } from '../../client/client.js'
import { OwnWrites } from './own-writes.js'
import type {
  Controller,
  ControllerDependencies,
  ReconcileContext,
  ReconcileResult,
  ReconcilerOptions,
  RunningController,
} from './reconcile.js'

/** Connects informers, queue, workers and back-off; the same for all controllers. */
export function startController(options: ReconcilerOptions, dependencies: ControllerDependencies): RunningController {
  return new Loop(options, dependencies)
}

/** Several controllers under one name, which are started and stopped together. */
export function combinedController(name: string, controllers: readonly Controller[]): Controller {
  return {
    name,
    start(dependencies) {
      const running = controllers.map((each) => each.start(dependencies))
      return {
        async close() {
          await Promise.all(running.map((each) => each.close()))
        },
      }
    },
  }
}

class Loop implements RunningController {
  readonly #options: ReconcilerOptions
  readonly #dependencies: ControllerDependencies
  readonly #queue: WorkQueue
  readonly #ownWrites: OwnWrites
  readonly #stopping = new AbortController()
  readonly #unsubscribe: readonly (() => void)[]

  constructor(options: ReconcilerOptions, dependencies: ControllerDependencies) {
    const { environment, informers } = dependencies
    this.#options = options
    this.#dependencies = dependencies
    this.#queue = new WorkQueue(environment, { name: options.queue })
    const watched = options.watched.map((each) => ({ ...each, informer: each.informer(informers) }))
    this.#ownWrites = new OwnWrites(watched, environment)
    for (const key of options.initialKeys) this.#queue.add(key)
    this.#unsubscribe = watched.map(({ informer, keysOf }) =>
      informer.onChange((change) => {
        for (const key of keysOf(change, informers)) this.#queue.add(key)
      }),
    )
    const synced = Promise.all(watched.map(({ informer }) => informer.synced))
    synced.then(
      () => this.#startWorkers(),
      (error) => environment.log.error('controller start failed', { controller: options.name, error }),
    )
  }

  #startWorkers(): void {
    for (let worker = 0; worker < this.#options.workers; worker++) void this.#work()
  }

  /** Ends when the queue is closed. */
  async #work(): Promise<void> {
    for await (const key of this.#queue.keys()) await this.#reconcile(key)
  }

  /** Never throws: a key that fails is requeued. The key is done when the informers show what was written for it. */
  async #reconcile(key: string): Promise<void> {
    const { informers, events, environment, transport } = this.#dependencies
    const { signal } = this.#stopping
    const writes = this.#ownWrites.begin()
    const client = new Client(writes.observe(transport), { clock: environment.clock })
    const began = environment.clock.monotonic()
    const enqueue = (other: string) => this.#queue.add(other)
    const context: ReconcileContext = { client, informers, events, environment, signal, enqueue }
    try {
      const result = await this.#options.reconcile(key, context)
      this.#succeeded(key, result ?? {})
      const decision = writes.count === 0 ? 'nothing to do' : `wrote ${writes.count}`
      this.#trace(key, began, { decision, ...result?.trace })
    } catch (error) {
      this.#failed(key, error)
      this.#trace(key, began, { decision: 'failed', reason: String(error) })
    }
    await writes.seen(signal)
  }

  #succeeded(key: string, { requeueAfter }: ReconcileResult): void {
    this.#queue.forget(key)
    if (requeueAfter !== undefined) this.#queue.addAfter(key, requeueAfter)
  }

  #failed(key: string, error: unknown): void {
    const { log } = this.#dependencies.environment
    if (this.#stopping.signal.aborted) return
    // A conflict or a deletion at the same time is normal: the next reconcile sees both. Of repeated failures only the first is a warning.
    const isExpected = hasReason(error, 'Conflict') || hasReason(error, 'NotFound') || this.#queue.failures(key) > 0
    log[isExpected ? 'debug' : 'warn']('reconcile failed; requeued', { key, error })
    this.#queue.addRateLimited(key)
  }

  #trace(key: string, began: number, step: Pick<TraceStep, 'subject' | 'decision' | 'reason'>): void {
    const { clock, tracer } = this.#dependencies.environment
    if (!tracer.active) return
    const took = clock.monotonic() - began
    const at = clock.now() - Math.round(took)
    const [name = '', namespace] = key.split('/').reverse()
    const subject = { kind: this.#options.watched[0]?.place.kind ?? '', name, ...(namespace && { namespace }) }
    tracer.report({ at, took, component: this.#options.name, stage: 'reconcile', subject, ...step })
  }

  async close(): Promise<void> {
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
    this.#stopping.abort()
    this.#ownWrites.close()
    await this.#queue.close()
  }
}
