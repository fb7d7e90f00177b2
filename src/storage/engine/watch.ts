import type { Clock, Timer } from '../../base/clock.js'
import { CompactedError, type StorageError } from '../errors.js'
import { checkWatch } from '../request.js'
import type { StoreEvent, WatchBatch, WatchQuery } from '../store.js'
import type { LoggedChange, Medium } from './medium.js'
import type { RecentChanges } from './recent-changes.js'

/** Where a watch gets its changes, and where it waits for more. */
export interface WatchSource {
  readonly medium: Medium
  readonly recent: RecentChanges
  readonly clock: Clock
  /** Everything up to here has been published. The medium may be a moment ahead. */
  readonly revision: number
  /** Batches of recent changes since the last publication, by what was asked: watches of one prefix mostly ask for the same. */
  readonly batches: Map<string, WatchBatch>
  /** The watch begins to be read. It may be ended at once. */
  open(watch: LocalWatch): void
  /** The watch has seen everything: it is told, by `notice`, when there is something new. */
  wait(watch: LocalWatch): void
  forget(watch: LocalWatch): void
}

type Result = IteratorResult<WatchBatch, undefined>

const done: Result = { done: true, value: undefined }

/** A batch ends after the revision with which it has so many events, and history is read by so many changes at a time. */
const batchEvents = 1000
const historyChanges = 2000

/**
 * One watch. It holds nothing but the revision it reports next: events come from the recent changes, or from history when it is
 * further behind, and it waits only when it has reported everything there is.
 */
export class LocalWatch implements AsyncIterableIterator<WatchBatch, undefined> {
  readonly #source: WatchSource
  readonly #query: WatchQuery
  #next: number
  #begun = false
  #ended: { readonly error?: StorageError } | undefined
  /** The answer that a reader waits for. */
  #pending:
    | { readonly promise: Promise<Result>; resolve(result: Result): void; reject(error: unknown): void }
    | undefined
  #progress: Timer | undefined
  #progressDue = false

  /** The watch is of this moment, but nobody holds on to it before it is read for the first time. */
  constructor(source: WatchSource, query: WatchQuery) {
    this.#source = source
    this.#query = query
    this.#next = query.revision ?? source.revision + 1
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** Calls that overlap are answered one after the other. */
  next(): Promise<Result> {
    if (this.#pending) {
      const again = () => this.next()
      return this.#pending.promise.then(again, again)
    }
    try {
      if (!this.#begun) this.#begin()
      const found = this.#read()
      if (typeof found === 'object') return Promise.resolve(found)
      return this.#wait(found)
    } catch (error) {
      return Promise.reject(error)
    }
  }

  async return(): Promise<Result> {
    this.end()
    return done
  }

  /** Ends the watch: with an error, which the reader meets once, or as if there were nothing more. */
  end(error?: StorageError): void {
    if (this.#ended) return
    this.#close(error)
    this.#resume()
  }

  #close(error?: StorageError): void {
    this.#ended = error ? { error } : {}
    this.#query.signal?.removeEventListener('abort', this.#abort)
    this.#source.forget(this)
  }

  /**
   * New changes are there. Whether they concern the watch, which then no longer waits; otherwise it has now seen them. Called
   * only while it waits.
   */
  notice(changes: readonly LoggedChange[]): boolean {
    const { prefix } = this.#query
    const { revision } = this.#source
    if (changes.some((change) => change.modRevision >= this.#next && change.key.startsWith(prefix))) {
      this.#resume()
      return true
    }
    if (this.#next >= changes[0]!.modRevision) this.#next = Math.max(this.#next, revision + 1)
    return false
  }

  readonly #abort = () => this.end()

  #begin(): void {
    const { signal } = this.#query
    checkWatch(this.#query)
    this.#begun = true
    this.#source.open(this)
    if (signal?.aborted) this.end()
    signal?.addEventListener('abort', this.#abort)
    const { oldest } = this.#source.medium.counters
    if (this.#next < oldest) this.end(new CompactedError(this.#next, oldest))
  }

  /**
   * What there is to report. 'wait': nothing until something changes. 'go on': nothing so far, but there is more history to read;
   * a long stretch of it that does not concern this watch must not keep everyone else waiting.
   */
  #read(): Result | 'wait' | 'go on' {
    if (this.#ended) return this.#finish()
    const { revision, recent } = this.#source
    if (this.#next > revision) return this.#takeProgress(revision) ?? 'wait'
    const { oldest } = this.#source.medium.counters
    if (this.#next < recent.first && this.#next < oldest) {
      this.#close(new CompactedError(this.#next, oldest))
      return this.#finish()
    }
    const batch = this.#next >= recent.first ? this.#fromRecent(revision) : this.#fromHistory(revision)
    return batch.events.length > 0 ? { done: false, value: batch } : 'go on'
  }

  #finish(): Result {
    const error = this.#ended?.error
    this.#ended = {}
    if (error) throw error
    return done
  }

  #wait(how: 'wait' | 'go on'): Promise<Result> {
    let resolve!: (result: Result) => void
    let reject!: (error: unknown) => void
    const promise = new Promise<Result>((resolvePromise, rejectPromise) => {
      resolve = resolvePromise
      reject = rejectPromise
    })
    this.#pending = { promise, resolve, reject }
    this.#arrange(how)
    return promise
  }

  #arrange(how: 'wait' | 'go on'): void {
    if (how === 'go on') {
      setImmediate(() => this.#resume())
      return
    }
    this.#source.wait(this)
    const { progressInterval } = this.#query
    if (progressInterval === undefined) return
    this.#progress = this.#source.clock.timer(progressInterval, () => {
      this.#progressDue = true
      this.#resume()
    })
  }

  /** Answers the reader who waits, if there is one and there is an answer now. */
  #resume(): void {
    const pending = this.#pending
    if (!pending) return
    this.#progress?.cancel()
    this.#progress = undefined
    try {
      const found = this.#read()
      if (typeof found !== 'object') {
        this.#arrange(found)
        return
      }
      this.#pending = undefined
      pending.resolve(found)
    } catch (error) {
      this.#pending = undefined
      pending.reject(error)
    }
  }

  #fromRecent(newest: number): WatchBatch {
    const { batches } = this.#source
    const { prefix, previous = false } = this.#query
    const question = `${this.#next} ${previous} ${prefix}`
    let batch = batches.get(question)
    if (!batch) {
      batch = this.#gather(newest)
      batches.set(question, batch)
    }
    this.#next = batch.revision + 1
    return batch
  }

  #gather(newest: number): WatchBatch {
    const { prefix } = this.#query
    const events: StoreEvent[] = []
    let revision = this.#next
    for (; revision <= newest && events.length < batchEvents; revision++)
      for (const change of this.#source.recent.at(revision))
        if (change.key.startsWith(prefix)) events.push(this.#event(change))
    return { revision: revision - 1, events }
  }

  #fromHistory(newest: number): WatchBatch {
    const { view } = this.#source.medium
    const { prefix } = this.#query
    const events: StoreEvent[] = []
    let read = 0
    let revision = this.#next
    for (; revision <= newest && read < historyChanges && events.length < batchEvents; revision++) {
      for (let index = 0, last = false; !last; index++, read++) {
        const change = view.outline(revision, index)
        if (!change) break
        last = change.last
        if (change.key.startsWith(prefix)) events.push(this.#event(view.change(revision, index)!))
      }
    }
    this.#next = revision
    return { revision: revision - 1, events }
  }

  #event(change: LoggedChange): StoreEvent {
    const { key, entry, modRevision: revision } = change
    const previous = this.#query.previous ? this.#previous(change) : undefined
    if (entry) return previous ? { type: 'put', entry, previous } : { type: 'put', entry }
    return previous ? { type: 'delete', key, revision, previous } : { type: 'delete', key, revision }
  }

  #previous({ previousRevision, previousIndex }: LoggedChange) {
    if (previousRevision === 0) return undefined
    return this.#source.medium.view.change(previousRevision, previousIndex)?.entry
  }

  /** A mark, when one is due and there is nothing to report. A watch that waits for the future has not come to the present. */
  #takeProgress(revision: number): Result | undefined {
    if (!this.#progressDue) return undefined
    this.#progressDue = false
    return { done: false, value: { revision, events: [] } }
  }
}
