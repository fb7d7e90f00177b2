import { whenAborted } from './abort.js'
import type { Clock } from './clock.js'
import { DelayedKeys } from './delayed-keys.js'
import type { Environment } from './environment.js'
import { Heap, type HeapItem } from './heap.js'
import { controlLoopLimiter, type RateLimiter } from './rate-limiter.js'
import { type WorkQueueMetrics, workQueueMetrics } from './work-queue-metrics.js'

export interface WorkQueueOptions<K> {
  /** The name in metrics. A queue without a name is not measured. */
  readonly name?: string
  /** When failed keys come back; `controlLoopLimiter` by default. */
  readonly limiter?: RateLimiter<K>
}

export interface AddOptions {
  /** Keys of higher priority are handed out first; 0 by default. A waiting key gets the higher of both. */
  readonly priority?: number
}

/**
 * The keys to process: each once however often it was added, and by one worker at a time. A key that is added while it is processed is
 * handed out again afterwards, so that no change is missed. Keys are compared as in a `Map`, and handed out by priority, then in the order
 * of adding.
 */
export class WorkQueue<K extends string | number | object = string> implements AsyncDisposable {
  readonly #clock: Clock
  readonly #limiter: RateLimiter<K>
  readonly #metrics: WorkQueueMetrics | undefined
  /** The keys to process. A key is in here at most once. */
  readonly #dirty = new Map<K, DirtyKey<K>>()
  /** The keys that are being processed, and since when. A key in here is never handed out, though it may be dirty again. */
  readonly #processing = new Map<K, number>()
  /** The keys that can be handed out: those in `#dirty` and not in `#processing`. Empty while there are `#takers`. */
  readonly #ready = new Heap<DirtyKey<K>>((one, other) =>
    one.priority === other.priority ? one.number < other.number : one.priority > other.priority,
  )
  /** Waiting calls of `take`, in order. `undefined` tells them that no more keys will come. */
  readonly #takers = new Set<(key: K | undefined) => void>()
  readonly #delayed: DelayedKeys<K>
  readonly #whenFinished: (() => void)[] = []
  #added = 0
  #closed = false

  constructor(environment: Pick<Environment, 'clock' | 'random' | 'metrics'>, options: WorkQueueOptions<K> = {}) {
    this.#clock = environment.clock
    this.#limiter = options.limiter ?? controlLoopLimiter(environment)
    this.#metrics = options.name === undefined ? undefined : workQueueMetrics(environment.metrics, options.name)
    this.#delayed = new DelayedKeys(environment.clock, (key, priority) => this.add(key, { priority }))
  }

  /** The number of waiting keys, without delayed ones. */
  get size(): number {
    return this.#dirty.size
  }

  /** Does nothing if the queue is closed, like all methods that add. */
  add(key: K, { priority = 0 }: AddOptions = {}): void {
    if (this.#closed) return
    const known = this.#dirty.get(key)
    if (known) this.#raise(known, priority)
    else this.#addNew(key, priority)
  }

  /**
   * Adds the key `delay` milliseconds from now. Of several such calls for a key the earliest counts; an `add` in the meantime does not
   * change it.
   */
  addAfter(key: K, delay: number, options: AddOptions = {}): void {
    if (this.#closed) return
    this.#metrics?.retried()
    if (delay <= 0) this.add(key, options)
    else this.#delayed.add(key, delay, options.priority ?? 0)
  }

  /** Adds the key when the limiter allows another attempt, and counts a failure. */
  addRateLimited(key: K, options?: AddOptions): void {
    if (this.#closed) return
    this.addAfter(key, this.#limiter.next(key), options)
  }

  /** The key has succeeded, or no longer matters: its failures no longer count. A queued key stays queued. */
  forget(key: K): void {
    this.#limiter.forget(key)
  }

  failures(key: K): number {
    return this.#limiter.failures(key)
  }

  /**
   * Resolves with the next key; the caller must call `done` with it. Resolves with `undefined` if the signal is aborted, or the queue is
   * closed and empty.
   */
  take(signal?: AbortSignal): Promise<K | undefined> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve(undefined)
      const taker = (key: K | undefined) => {
        stopListening()
        resolve(key)
      }
      const stopListening = whenAborted(signal, () => {
        this.#takers.delete(taker)
        resolve(undefined)
      })
      this.#takers.add(taker)
      this.#handOut()
    })
  }

  /** The processing of a key has ended, well or badly. */
  done(key: K): void {
    const since = this.#processing.get(key)
    if (since === undefined) throw new Error(`key ${String(key)} is not being processed`)
    this.#processing.delete(key)
    this.#metrics?.worked(this.#clock.monotonic() - since)
    const again = this.#dirty.get(key)
    if (again) this.#ready.push(again)
    this.#handOut()
    this.#checkFinished()
  }

  /** Yields the keys one after the other. Each is done when the loop asks for the next one or is left. Ends as `take` does. */
  async *keys(signal?: AbortSignal): AsyncGenerator<K, void, undefined> {
    for (let key = await this.take(signal); key !== undefined; key = await this.take(signal)) {
      try {
        yield key
      } finally {
        this.done(key)
      }
    }
  }

  /**
   * Accepts no more keys, drops delayed ones, and resolves when no key is being processed. Waiting keys are dropped too; with `drain` they
   * are still handed out first: then a worker must continue to take them.
   */
  close({ drain = false }: { readonly drain?: boolean } = {}): Promise<void> {
    this.#closed = true
    this.#delayed.clear()
    if (!drain) this.#drop()
    this.#handOut()
    return new Promise((resolve) => {
      this.#whenFinished.push(resolve)
      this.#checkFinished()
    })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #addNew(key: K, priority: number): void {
    const item = { key, priority, number: this.#added++, since: this.#clock.monotonic(), heapIndex: -1 }
    this.#dirty.set(key, item)
    this.#metrics?.added()
    this.#metrics?.depth(this.#dirty.size)
    if (this.#processing.has(key)) return
    this.#ready.push(item)
    this.#handOut()
  }

  #raise(item: DirtyKey<K>, priority: number): void {
    if (priority <= item.priority) return
    const ready = this.#ready.remove(item)
    item.priority = priority
    if (ready) this.#ready.push(item)
  }

  #handOut(): void {
    for (const taker of this.#takers) {
      const item = this.#ready.pop()
      if (!item && !this.#ended) return
      this.#takers.delete(taker)
      if (item) this.#begin(item)
      taker(item?.key)
    }
  }

  /** Nothing will be handed out any more. A key that is dirty while it is processed still will be, when it is done. */
  get #ended(): boolean {
    return this.#closed && this.#dirty.size === 0
  }

  #begin({ key, since }: DirtyKey<K>): void {
    const now = this.#clock.monotonic()
    this.#dirty.delete(key)
    this.#processing.set(key, now)
    this.#metrics?.waited(now - since)
    this.#metrics?.depth(this.#dirty.size)
  }

  #drop(): void {
    this.#dirty.clear()
    this.#ready.clear()
    this.#metrics?.depth(0)
  }

  #checkFinished(): void {
    if (!this.#ended || this.#processing.size > 0) return
    for (const resolve of this.#whenFinished.splice(0)) resolve()
  }
}

interface DirtyKey<K> extends HeapItem {
  readonly key: K
  readonly number: number
  readonly since: number
  priority: number
}
