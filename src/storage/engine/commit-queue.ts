import { ClosedError, StorageError, UnavailableError } from '../errors.js'
import { Batch, type LeaseLookup } from './batch.js'
import type { Medium } from './medium.js'

/** One thing to be done to the store. It is decided inside a batch, and answered when the batch is kept for good. */
interface Command {
  readonly decide: (batch: Batch) => unknown
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: unknown) => void
  answer?: unknown
  error?: unknown
}

export interface CommitQueueOptions {
  readonly medium: Medium
  readonly leases: LeaseLookup
  /** Called with each batch as soon as it is kept, before anyone is answered. */
  readonly committed: (batch: Batch) => void
  /** Called when a batch could not be kept. */
  readonly failed: (error: StorageError) => void
  /** Puts the start of a batch off for a moment, so that those who ask together are committed together. */
  readonly defer: (start: () => void) => void
}

/** A batch takes no more than this: one flush should not keep those who come after it waiting. */
const batchCommands = 1024
const batchBytes = 8 * 1024 * 1024

/** Sweeping goes along with the writes, somewhat faster than they come, and by larger steps when there are none. */
const sweepPerChange = 2
const sweepWhenIdle = 256

/**
 * Group commit: while one batch is on its way to the medium, commands gather; then they become the next batch. Answers,
 * refusals included, are given only when everything they were decided upon is kept.
 */
export class CommitQueue {
  readonly #options: CommitQueueOptions
  #waiting: Command[] = []
  /** Whether a batch is on its way or about to start: at most one at any time. */
  #busy = false
  #closed = false
  #whenIdle: (() => void)[] = []

  constructor(options: CommitQueueOptions) {
    this.#options = options
  }

  add<Answer>(decide: (batch: Batch) => Answer): Promise<Answer> {
    if (this.#closed) return Promise.reject(new ClosedError())
    return new Promise<Answer>((resolve, reject) => {
      this.#waiting.push({ decide, resolve: resolve as (answer: unknown) => void, reject })
      this.#start()
    })
  }

  /** Goes on with what is left to sweep, even when nobody writes. */
  sweep(): void {
    if (!this.#closed) this.#start()
  }

  /** Takes no more commands, and resolves when those already given are answered. */
  async close(): Promise<void> {
    this.#closed = true
    if (this.#busy) await new Promise<void>((resolve) => this.#whenIdle.push(resolve))
  }

  #start(): void {
    if (this.#busy) return
    this.#busy = true
    this.#options.defer(() => this.#run())
  }

  #run(): void {
    const { medium, leases, committed, failed } = this.#options
    const batch = new Batch(medium.counters, medium.view, leases)
    const commands = this.#decide(batch)
    this.#keep(batch).then(
      () => {
        committed(batch)
        this.#answer(commands)
        this.#next()
      },
      (error: unknown) => {
        const explained = asStorageError(error)
        failed(explained)
        for (const command of commands) command.reject(explained)
        this.#next({ failed: true })
      },
    )
  }

  async #keep(batch: Batch): Promise<void> {
    const idle = this.#waiting.length === 0
    batch.sweep(batch.changes.length * sweepPerChange + (idle ? sweepWhenIdle : 0))
    if (!batch.isEmpty) await this.#options.medium.commit(batch)
  }

  #decide(batch: Batch): Command[] {
    const waiting = this.#waiting
    let count = 0
    while (count < waiting.length && count < batchCommands && batch.bytes < batchBytes) {
      const command = waiting[count++]!
      try {
        command.answer = command.decide(batch)
      } catch (error) {
        command.error = error
      }
    }
    this.#waiting = count === waiting.length ? [] : waiting.slice(count)
    return count === waiting.length ? waiting : waiting.slice(0, count)
  }

  #answer(commands: readonly Command[]): void {
    for (const command of commands)
      if (command.error === undefined) command.resolve(command.answer)
      else command.reject(command.error)
  }

  /** After a failure sweeping waits for the next command or compaction: on a full disk it would only fail over and over. */
  #next({ failed = false } = {}): void {
    this.#busy = false
    const { swept, oldest } = this.#options.medium.counters
    const mustSweep = swept < oldest && !this.#closed && !failed
    if (this.#waiting.length > 0 || mustSweep) this.#start()
    else for (const resolve of this.#whenIdle.splice(0)) resolve()
  }
}

/** A medium that fails in a way it has no name for may have kept the batch or not. */
function asStorageError(error: unknown): StorageError {
  return error instanceof StorageError ? error : new UnavailableError('the store failed to write', { cause: error })
}
