import { whenAborted } from '../../base/abort.js'
import type { Clock, Timer } from '../../base/clock.js'
import { type StorageError, UnavailableError } from '../../storage/errors.js'
import type { HistoryReader } from './history-reader.js'
import type { ChangeEvent, CollectionEvent, CollectionWatch } from './object-store.js'
import type { RecentEvents } from './recent-events.js'
import type { WatchGroup, WatchGroupMember } from './watch-groups.js'

/** Where a watch gets its events. */
export interface WatcherSource {
  readonly clock: Clock
  /** Everything up to here is among the recent events, or happened elsewhere. */
  readonly revision: number
  readonly recent: RecentEvents
  /** Those who watch the same, of whom the watcher is one from now on. Throws if there can be no more watches. */
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
 * One watch of a collection. It has no queue, only a position: events come from those that everyone shares, or from the store's
 * history when it is further behind, whether because it began there or because it is read slowly.
 */
export class CollectionWatcher implements AsyncIterableIterator<Events, undefined>, WatchGroupMember {
  readonly #source: WatcherSource
  readonly #query: CollectionWatch
  /** Everything up to this revision has been told. */
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

  /** Calls that overlap are answered one after the other. */
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

  /** Ends the watch: with an error, which the reader meets once, or as if nothing more happened. */
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
    // One that waits for a revision yet to come passes over those before it.
    const events = batch[0]!.object.revision > this.#position ? batch : this.#unseen(batch)
    if (events.length === 0) return
    this.#position = this.#source.revision
    this.#answer({ done: false, value: events })
  }

  #unseen(batch: readonly ChangeEvent[]): readonly ChangeEvent[] {
    return batch.filter(({ object }) => object.revision > this.#position)
  }

  /** What there is to tell now; undefined if that must be waited for. */
  #read(): Result | undefined {
    const group = this.#ended ? undefined : this.#begin()
    if (!group || this.#ended) return this.#finish()
    if (this.#position < this.#source.recent.completeSince) {
      this.#history ??= this.#source.history(this.#query, this.#position)
      return this.#mark()
    }
    const events = group.since(this.#position)
    if (events.length === 0) this.#position = Math.max(this.#position, this.#source.revision)
    const mark = this.#mark()
    if (mark || events.length === 0) return mark
    this.#position = this.#source.revision
    return { done: false, value: events }
  }

  #finish(): Result {
    const error = this.#ended?.error
    this.#ended = {}
    if (error) throw error
    return done
  }

  #begin(): WatchGroup {
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
    this.#progress = this.#source.clock.timer(delay, () => {
      this.#progressDue = true
      this.#scheduleProgress()
      if (this.#pending && !this.#history) this.#resume()
    })
  }

  #mark(): Result | undefined {
    // A watch that waits for a revision yet to come has not come to any that could be told.
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

  /** Whoever needs no history waits for news, which `take` brings. */
  #continueHistory(): void {
    if (this.#history) void this.#readHistory(this.#history)
  }

  /** Answers the reader who waits, if there is an answer now. */
  #resume(): void {
    if (!this.#pending) return
    try {
      const found = this.#read()
      if (found) this.#answer(found)
      else this.#continueHistory()
    } catch (error) {
      this.#fail(error)
    }
  }

  #answer(result: Result): void {
    const pending = this.#pending!
    this.#pending = undefined
    pending.resolve(result)
  }

  #fail(error: unknown): void {
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
      if (found.events.length > 0) this.#answer({ done: false, value: found.events })
      else this.#resume()
    } catch (error) {
      if (this.#history !== history) return
      // A store that is out of reach may be back when the client is: it knows where to go on.
      this.end(error instanceof UnavailableError ? undefined : (error as StorageError))
    }
  }

  #leaveHistory(history: HistoryReader): void {
    this.#history = undefined
    history.close()
  }
}
