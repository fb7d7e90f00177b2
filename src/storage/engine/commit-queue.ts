import { ClosedError, StorageError, UnavailableError } from '../errors.js'
import { Batch, type LeaseLookup } from './batch.js'
import type { Medium } from './medium.js'

/** One operation on the store. It is decided in a batch, and resolved when the batch is durable. */
interface Command {
  readonly decide: (batch: Batch) => unknown
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
  result?: unknown
  error?: unknown
}

export interface CommitQueueOptions {
  readonly medium: Medium
  readonly leases: LeaseLookup
  /** Called with each batch as soon as it is durable, before its commands resolve. */
  readonly committed: (batch: Batch) => void
  /** Called if a batch could not be committed. */
  readonly failed: (error: StorageError) => void
  /** Delays the start of a batch, so that concurrent commands are committed together. */
  readonly defer: (start: () => void) => void
}

/** Upper bounds of a batch, so that one flush does not delay later commands for long. */
const batchCommands = 1024
const batchBytes = 8 * 1024 * 1024

/** Sweeping runs along with the writes, a little faster than they come, and in larger steps while there are none. */
const sweepPerChange = 2
const sweepWhenIdle = 256

/**
 * Group commit: while a batch is being committed, commands queue up; then they become the next batch. A command resolves or rejects only
 * when everything that its decision depends on is durable.
 */
export class CommitQueue {
  readonly #options: CommitQueueOptions
  #waiting: Command[] = []
  /** A batch is being committed or about to start: at most one at any time. */
  #busy = false
  #closed = false
  #whenIdle: (() => void)[] = []

  constructor(options: CommitQueueOptions) {
    this.#options = options
  }

  add<Answer>(decide: (batch: Batch) => Answer): Promise<Answer> {
    if (this.#closed) return Promise.reject(new ClosedError())
    return new Promise<Answer>((resolve, reject) => {
      this.#waiting.push({ decide, resolve: resolve as (result: unknown) => void, reject })
      this.#start()
    })
  }

  /** Continues sweeping, even without writes. */
  sweep(): void {
    if (!this.#closed) this.#start()
  }

  /** Rejects further commands, and resolves when all earlier ones are resolved. */
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
    this.#commit(batch).then(
      () => {
        committed(batch)
        this.#settle(commands)
        this.#next()
      },
      (error: unknown) => {
        const failure = asStorageError(error)
        failed(failure)
        for (const command of commands) command.reject(failure)
        this.#next({ failed: true })
      },
    )
  }

  async #commit(batch: Batch): Promise<void> {
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
        command.result = command.decide(batch)
      } catch (error) {
        command.error = error
      }
    }
    this.#waiting = count === waiting.length ? [] : waiting.slice(count)
    return count === waiting.length ? waiting : waiting.slice(0, count)
  }

  #settle(commands: readonly Command[]): void {
    for (const command of commands)
      if (command.error === undefined) command.resolve(command.result)
      else command.reject(command.error)
  }

  /** After a failure sweeping waits for the next command or compaction: on a full disk it would fail again and again. */
  #next({ failed = false } = {}): void {
    this.#busy = false
    const { swept, oldest } = this.#options.medium.counters
    const mustSweep = swept < oldest && !this.#closed && !failed
    if (this.#waiting.length > 0 || mustSweep) this.#start()
    else for (const resolve of this.#whenIdle.splice(0)) resolve()
  }
}

/** After an unknown error of the medium, the batch may or may not be committed. */
function asStorageError(error: unknown): StorageError {
  return error instanceof StorageError ? error : new UnavailableError('the store failed to write', { cause: error })
}
