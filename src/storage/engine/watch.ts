import type { Clock, Timer } from '../../base/clock.js'
import { CompactedError, type StorageError } from '../errors.js'
import { checkWatch } from '../request.js'
import type { WatchBatch, WatchEvent, WatchQuery } from '../store.js'
import type { Change, Medium } from './medium.js'
import type { RecentChanges } from './recent-changes.js'

/** Where a watch gets its changes, and where it waits for more. */
export interface WatchSource {
  readonly medium: Medium
  readonly recent: RecentChanges
  readonly clock: Clock
  /** Everything up to here has been published. The medium may be a moment ahead. */
  readonly revision: number
  /** The watch begins to be read. It may be ended at once. */
  open(watch: Watch): void
  /** The watch has seen everything: it is told, by `notice`, when there is something new. */
  wait(watch: Watch): void
  forget(watch: Watch): void
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
export class Watch implements AsyncIterableIterator<WatchBatch, undefined> {
  readonly #source: WatchSource
  readonly #query: WatchQuery
  #next: number
  #begun = false
  #ended: { readonly error?: StorageError } | undefined
  /** Set while the watch waits for something to report. */
  #wake: (() => void) | undefined
  #progress: Timer | undefined
  #progressDue = false
  /** The last call of `next`: calls are answered one after the other. */
  #turn: Promise<Result> | undefined

  /** The watch is of this moment, but nobody holds on to it before it is read for the first time. */
  constructor(source: WatchSource, query: WatchQuery) {
    this.#source = source
    this.#query = query
    this.#next = query.revision ?? source.revision + 1
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<Result> {
    const advance = () => this.#advance()
    this.#turn = this.#turn ? this.#turn.then(advance, advance) : this.#advance()
    return this.#turn
  }

  async return(): Promise<Result> {
    this.end()
    return done
  }

  /** Ends the watch: with an error, which the reader meets once, or as if there were nothing more. */
  end(error?: StorageError): void {
    if (this.#ended) return
    this.#ended = error ? { error } : {}
    this.#query.signal?.removeEventListener('abort', this.#abort)
    this.#source.forget(this)
    this.#stopWaiting()
  }

  /**
   * New changes are there. Whether the watch wakes for them: if they do not concern it, it has now seen them. Called only while
   * it waits.
   */
  notice(changes: readonly Change[]): boolean {
    const { prefix } = this.#query
    const { revision } = this.#source
    const first = changes[0]!.modRevision
    if (
      this.#next <= revision &&
      changes.some((change) => change.modRevision >= this.#next && change.key.startsWith(prefix))
    ) {
      this.#stopWaiting()
      return true
    }
    if (this.#next >= first) this.#next = Math.max(this.#next, revision + 1)
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

  async #advance(): Promise<Result> {
    if (!this.#begun) this.#begin()
    for (;;) {
      if (this.#ended) return this.#finish()
      const { revision } = this.#source
      if (this.#next > revision) {
        const mark = this.#takeProgress(revision)
        if (mark) return mark
        await this.#waitForMore()
        continue
      }
      const batch = this.#next >= this.#source.recent.first ? this.#fromRecent(revision) : this.#fromHistory(revision)
      if (!batch) continue
      if (batch.events.length > 0) return { done: false, value: batch }
      // A long stretch of history that does not concern this watch must not keep everyone else waiting.
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
  }

  #finish(): Result {
    const error = this.#ended?.error
    this.#ended = {}
    if (error) throw error
    return done
  }

  #fromRecent(newest: number): WatchBatch {
    const { prefix } = this.#query
    const events: WatchEvent[] = []
    let revision = this.#next
    for (; revision <= newest && events.length < batchEvents; revision++)
      for (const change of this.#source.recent.at(revision))
        if (change.key.startsWith(prefix)) events.push(this.#event(change))
    this.#next = revision
    return { revision: revision - 1, events }
  }

  /** Undefined when the watch has just ended: what it wants is compacted. */
  #fromHistory(newest: number): WatchBatch | undefined {
    const { oldest } = this.#source.medium.counters
    if (this.#next < oldest) {
      this.end(new CompactedError(this.#next, oldest))
      return undefined
    }
    const { view } = this.#source.medium
    const { prefix } = this.#query
    const events: WatchEvent[] = []
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

  #event(change: Change): WatchEvent {
    const { key, entry, modRevision: revision } = change
    const previous = this.#query.previous ? this.#previous(change) : undefined
    if (entry) return previous ? { type: 'put', entry, previous } : { type: 'put', entry }
    return previous ? { type: 'delete', key, revision, previous } : { type: 'delete', key, revision }
  }

  #previous({ previousRevision, previousIndex }: Change) {
    if (previousRevision === 0) return undefined
    return this.#source.medium.view.change(previousRevision, previousIndex)?.entry
  }

  #waitForMore(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
      this.#source.wait(this)
      const { progressInterval } = this.#query
      if (progressInterval === undefined) return
      this.#progress = this.#source.clock.timer(progressInterval, () => {
        this.#progressDue = true
        this.#stopWaiting()
      })
    })
  }

  #stopWaiting(): void {
    this.#progress?.cancel()
    this.#progress = undefined
    this.#wake?.()
    this.#wake = undefined
  }

  /** A mark, when one is due and there is nothing to report. A watch that waits for the future has not come to the present. */
  #takeProgress(revision: number): Result | undefined {
    if (!this.#progressDue) return undefined
    this.#progressDue = false
    return { done: false, value: { revision, events: [] } }
  }
}
