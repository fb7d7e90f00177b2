import { setMaxListeners } from 'node:events'
import { sleep } from '../../../base/clock.js'
import type { Environment } from '../../../base/environment.js'
import { CompactedError, UnavailableError } from '../../errors.js'
import { checkWatch } from '../../request.js'
import type { WatchBatch, WatchQuery } from '../../store.js'
import { FailedCallError, RejectedCallError } from '../call-errors.js'
import type { EtcdCluster } from '../cluster.js'
import type { KeySpace } from '../key-space.js'
import { watchMethod } from '../messages/watch.js'
import { type EtcdReads, oldestRevision } from '../reads.js'
import { BatchQueue } from './batch-queue.js'
import { WatchPosition } from './position.js'
import { PreviousGoneError, WatchStream, type WatchStreamOptions } from './stream.js'

export interface EtcdWatchDependencies {
  readonly cluster: EtcdCluster
  readonly reads: EtcdReads
  readonly keySpace: KeySpace
  readonly environment: Environment
  /** Upper bound of the queue for a slow reader. */
  readonly bufferBytes: number
  /** Called once, when the watch has ended. */
  readonly onEnd: () => void
}

/**
 * One watch, over several streams. When a stream breaks, another one to any member continues at the position of the watch.
 *
 * Each watch has its own stream, and always reads it: with a slow reader the watch drops its stream, and continues from history when the
 * reader has caught up. So a member never has to hold back changes (those before 3.4.31 and 3.5.13 lose them if they are compacted
 * meanwhile), and no watch waits for another.
 */
export class EtcdWatch implements AsyncIterator<WatchBatch> {
  readonly #query: WatchQuery
  readonly #surroundings: EtcdWatchDependencies
  readonly #queue = new BatchQueue()
  readonly #over = new AbortController()
  readonly #abort = () => this.stop()
  /** A revision whose changes may come without previous values, because it is the oldest that is kept. */
  #oldest = 0
  #failures = 0

  constructor(query: WatchQuery, surroundings: EtcdWatchDependencies) {
    this.#query = query
    this.#surroundings = surroundings
  }

  /** Call it once. */
  start(): void {
    const { signal } = this.#query
    if (signal) {
      // Any number of watches may share one signal; Node would report more than ten as a leak.
      setMaxListeners(0, signal)
      if (signal.aborted) this.stop()
      signal.addEventListener('abort', this.#abort, { once: true })
    }
    void this.#run()
  }

  next(): Promise<IteratorResult<WatchBatch>> {
    return this.#queue.next()
  }

  async return(): Promise<IteratorResult<WatchBatch>> {
    this.stop()
    return { done: true, value: undefined }
  }

  /** Ends the watch at once, with an error or as if there were no more changes. */
  stop(error?: Error): void {
    this.#queue.stop(error)
    this.#over.abort()
  }

  async #run(): Promise<void> {
    const { signal } = this.#over
    try {
      checkWatch(this.#query)
      const position = new WatchPosition(await this.#start())
      const options = this.#streamOptions(position)
      while (!signal.aborted) await this.#follow(options).catch((error) => this.#recover(error))
    } catch (error) {
      this.#queue.end(error as Error)
    } finally {
      this.#query.signal?.removeEventListener('abort', this.#abort)
      this.#surroundings.onEnd()
    }
  }

  /** Returns the first revision to report. */
  async #start(): Promise<number> {
    for (;;) {
      if (this.#query.revision !== undefined) return this.#query.revision
      try {
        return (await this.#surroundings.reads.currentRevision()) + 1
      } catch (error) {
        await this.#recover(error)
      }
      if (this.#over.signal.aborted) return 0
    }
  }

  #streamOptions(position: WatchPosition): WatchStreamOptions {
    const { keySpace, environment, bufferBytes } = this.#surroundings
    const { prefix, previous = false, progressInterval } = this.#query
    return {
      clock: environment.clock,
      method: watchMethod(keySpace.rootLength),
      range: keySpace.range(prefix),
      position,
      progressInterval,
      previous,
      mayLackPrevious: (revision) => revision === this.#oldest,
      report: (batch, bytes) => {
        this.#queue.push(batch, bytes)
        return this.#queue.bytes <= bufferBytes
      },
      onBegin: () => {
        this.#failures = 0
      },
    }
  }

  /** Runs one stream to its end. */
  async #follow(options: WatchStreamOptions): Promise<void> {
    const { cluster } = this.#surroundings
    const { signal } = this.#over
    await this.#queue.emptied()
    const member = await cluster.member()
    if (signal.aborted) return
    const stream = new WatchStream(member, options)
    const end = () => stream.end()
    signal.addEventListener('abort', end, { once: true })
    try {
      await stream.ended
    } catch (error) {
      if (error instanceof FailedCallError) cluster.markFailed(member, error)
      throw error
    } finally {
      signal.removeEventListener('abort', end)
    }
  }

  /** Returns when a retry makes sense, and throws if it does not. */
  async #recover(error: unknown): Promise<void> {
    if (error instanceof PreviousGoneError) return this.#checkOldest(error.revision)
    if (!(error instanceof FailedCallError || error instanceof UnavailableError)) throw asStorageError(error)
    const { clock, log, random } = this.#surroundings.environment
    log.debug('watch stream lost', { prefix: this.#query.prefix, reason: error.message })
    const delay = this.#failures === 0 ? 0 : Math.min(1000, 25 * 2 ** this.#failures) * (0.5 + random.float() / 2)
    this.#failures++
    if (delay > 0) await sleep(clock, delay, this.#over.signal).catch(() => {})
  }

  /** Previous values may be missing in the oldest kept revision; for any other one, history was compacted during the watch. */
  async #checkOldest(revision: number): Promise<void> {
    const oldest = await oldestRevision(this.#surroundings.cluster, revision - 1)
    if (oldest > revision) throw new CompactedError(revision, oldest)
    this.#oldest = revision
  }
}

function asStorageError(error: unknown): unknown {
  return error instanceof RejectedCallError ? new UnavailableError(`etcd rejected the watch: ${error.message}`) : error
}
