import { whenAborted } from '../../base/abort.js'
import type { Timer } from '../../base/clock.js'
import { type StorageError, UnavailableError } from '../../storage/errors.js'
import type { HistoryReader } from './history-reader.js'
import type { ChangeEvent, CollectionEvent, CollectionWatch } from './object-store.js'
import type { ProgressTimers } from './progress-timers.js'
import type { RecentEvents } from './recent-events.js'
import type { WatchGroup, WatchGroupMember } from './watch-groups.js'

/** The collection from which a watcher gets its events. */
export interface WatcherSource {
  readonly progressTimers: ProgressTimers
  /** All events of the collection up to this revision are in `recent`, or are older than it. */
  readonly revision: number
  readonly recent: RecentEvents
  /** Adds the watcher to the group of equal watches. Throws if the store is closed. */
  join(watcher: WatchGroupMember, query: CollectionWatch): WatchGroup
  leave(watcher: WatchGroupMember, group: WatchGroup, query: CollectionWatch): void
  history(query: CollectionWatch, position: number): HistoryReader
}

type Events = readonly CollectionEvent[]
type Result = IteratorResult<Events, undefined>

const done: Result = { done: true, value: undefined }

interface Pending {
  readonly promise: Promise<Result>
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * One watch of a collection. It has a position and no queue: it reads from the recent events, which all watchers share, or from the
 * history of the store if it is further behind, because it started there or because its reader is slow.
 */
export class CollectionWatcher implements AsyncIterableIterator<Events, undefined>, WatchGroupMember {
  readonly #source: WatcherSource
  readonly #query: CollectionWatch
  /** All events up to this revision have been delivered. */
  #position: number
  #group: WatchGroup | undefined
  #history: HistoryReader | undefined
  #pending: Pending | undefined
  #ended: { readonly error?: StorageError | undefined } | undefined
  #progress: Timer | undefined
  #progressDue = false
  #stopListening = () => {}

  constructor(source: WatcherSource, query: CollectionWatch) {
    this.#source = source
    this.#query = query
    this.#position = query.revision
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** Overlapping calls are served one after the other. */
  next(): Promise<Result> {
    if (this.#pending) {
      const again = () => this.next()
      return this.#pending.promise.then(again, again)
    }
    try {
      const found = this.#read()
      return found ? Promise.resolve(found) : this.#wait()
    } catch (error) {
      return Promise.reject(error)
    }
  }

  async return(): Promise<Result> {
    this.end()
    return done
  }

  /** Ends the watch. `error` is thrown to the reader once. */
  end(error?: StorageError): void {
    if (this.#ended) return
    this.#ended = { error }
    this.#stopListening()
    this.#progress?.cancel()
    this.#history?.close()
    this.#history = undefined
    if (this.#group) this.#source.leave(this, this.#group, this.#query)
    this.#resume()
  }

  receive(batch: readonly ChangeEvent[]): void {
    if (!this.#pending || this.#history) return
    // A watch that starts at a future revision skips the events before it.
    const events = batch[0]!.object.revision > this.#position ? batch : this.#unseen(batch)
    if (events.length === 0) return
    this.#position = this.#source.revision
    this.#resolve({ done: false, value: events })
  }

  #unseen(batch: readonly ChangeEvent[]): readonly ChangeEvent[] {
    return batch.filter(({ object }) => object.revision > this.#position)
  }

  /** The result that is available now; undefined if the reader must wait. */
  #read(): Result | undefined {
    const group = this.#ended ? undefined : this.#start()
    if (!group || this.#ended) return this.#finish()
    if (this.#position < this.#source.recent.completeSince) {
      this.#history ??= this.#source.history(this.#query, this.#position)
      return this.#progressEvent()
    }
    const events = group.since(this.#position)
    if (events.length === 0) this.#position = Math.max(this.#position, this.#source.revision)
    const progress = this.#progressEvent()
    if (progress || events.length === 0) return progress
    this.#position = this.#source.revision
    return { done: false, value: events }
  }

  #finish(): Result {
    const error = this.#ended?.error
    this.#ended = {}
    if (error) throw error
    return done
  }

  #start(): WatchGroup {
    if (!this.#group) {
      this.#group = this.#source.join(this, this.#query)
      this.#stopListening = whenAborted(this.#query.signal, () => this.end())
      this.#scheduleProgress()
      if (this.#query.signal.aborted) this.end()
    }
    return this.#group
  }

  #scheduleProgress(): void {
    const delay = this.#query.progressIn?.()
    if (delay === undefined) return
    this.#progress = this.#source.progressTimers.add(delay, () => {
      this.#progressDue = true
      this.#scheduleProgress()
      if (this.#pending && !this.#history) this.#resume()
    })
  }

  #progressEvent(): Result | undefined {
    // A watch that starts at a future revision has made no progress to report.
    if (!this.#progressDue || this.#position > this.#source.revision) return undefined
    this.#progressDue = false
    return { done: false, value: [{ type: 'progress', revision: this.#position }] }
  }

  #wait(): Promise<Result> {
    let resolve!: (result: Result) => void
    let reject!: (error: unknown) => void
    const promise = new Promise<Result>((resolvePromise, rejectPromise) => {
      resolve = resolvePromise
      reject = rejectPromise
    })
    this.#pending = { promise, resolve, reject }
    this.#continueHistory()
    return promise
  }

  /** A watch that does not read history waits for `receive`. */
  #continueHistory(): void {
    if (this.#history) void this.#readHistory(this.#history)
  }

  /** Resolves the pending read if a result is available. */
  #resume(): void {
    if (!this.#pending) return
    try {
      const found = this.#read()
      if (found) this.#resolve(found)
      else this.#continueHistory()
    } catch (error) {
      this.#reject(error)
    }
  }

  #resolve(result: Result): void {
    const pending = this.#pending!
    this.#pending = undefined
    pending.resolve(result)
  }

  #reject(error: unknown): void {
    const pending = this.#pending!
    this.#pending = undefined
    pending.reject(error)
  }

  async #readHistory(history: HistoryReader): Promise<void> {
    try {
      const found = await history.read()
      if (this.#history !== history) return
      if (!found) return this.end()
      this.#position = found.revision
      if (this.#position >= this.#source.recent.completeSince) this.#leaveHistory(history)
      if (found.events.length > 0) this.#resolve({ done: false, value: found.events })
      else this.#resume()
    } catch (error) {
      if (this.#history !== history) return
      // An unreachable store may be back when the client reconnects, which knows from which revision to continue.
      this.end(error instanceof UnavailableError ? undefined : (error as StorageError))
    }
  }

  #leaveHistory(history: HistoryReader): void {
    this.#history = undefined
    history.close()
  }
}
