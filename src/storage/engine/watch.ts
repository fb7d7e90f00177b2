import type { Clock, Timer } from '../../base/clock.js'
import { CompactedError, type StorageError } from '../errors.js'
import { checkWatch } from '../request.js'
import type { StoreEvent, WatchBatch, WatchQuery } from '../store.js'
import type { LoggedChange, Medium } from './medium.js'
import type { RecentChanges } from './recent-changes.js'

/** The changes for a watch, and where it waits for more. */
export interface WatchSource {
  readonly medium: Medium
  readonly recent: RecentChanges
  readonly clock: Clock
  /** All changes up to here are published. The medium may be slightly ahead. */
  readonly revision: number
  /** Batches of recent changes since the last publication, by query: watches of one prefix usually have the same query. */
  readonly batches: Map<string, WatchBatch>
  /** Called when the watch is read for the first time. It may end the watch at once. */
  open(watch: LocalWatch): void
  /** The watch has seen everything: `notice` is called for new changes. */
  wait(watch: LocalWatch): void
  forget(watch: LocalWatch): void
}

type Result = IteratorResult<WatchBatch, undefined>

const done: Result = { done: true, value: undefined }

/** A batch ends after the revision that reaches this many events. History is read in steps of this many changes. */
const batchEvents = 1000
const historyChanges = 2000

/**
 * One watch. It stores only the next revision to report: events come from the recent changes, or from history if it is further behind. It
 * waits only after it has reported everything.
 */
export class LocalWatch implements AsyncIterableIterator<WatchBatch, undefined> {
  readonly #source: WatchSource
  readonly #query: WatchQuery
  #next: number
  #begun = false
  #ended: { readonly error?: StorageError } | undefined
  /** The pending `next` of the reader. */
  #pending:
    | { readonly promise: Promise<Result>; resolve(result: Result): void; reject(error: unknown): void }
    | undefined
  #progress: Timer | undefined
  #progressDue = false

  /** The watch starts at the current revision, but is not registered before it is read for the first time. */
  constructor(source: WatchSource, query: WatchQuery) {
    this.#source = source
    this.#query = query
    this.#next = query.revision ?? source.revision + 1
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** Concurrent calls resolve one after the other. */
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

  /** Ends the watch: with an error, which the reader gets once, or as if there were no more changes. */
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
   * Handles new changes. Returns whether they concern the watch, which then no longer waits; otherwise they count as seen. Called only
   * while the watch waits.
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
   * Returns the next result. 'wait': nothing until the next change. 'go on': nothing so far, but there is more history; a long history
   * without matching changes must not block the event loop.
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

  /** Resolves the pending `next` if there is a result. */
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

  /**
   * Returns a progress mark if one is due and there is nothing else to report. A watch that starts at a future revision has no progress
   * yet.
   */
  #takeProgress(revision: number): Result | undefined {
    if (!this.#progressDue) return undefined
    this.#progressDue = false
    return { done: false, value: { revision, events: [] } }
  }
}
