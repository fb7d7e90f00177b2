import type { Clock } from '../../../base/clock.js'
import { CompactedError, StorageError, UnavailableError } from '../../errors.js'
import type { StoreEvent, WatchBatch } from '../../store.js'
import { FailedCallError } from '../call-errors.js'
import type { EtcdStream } from '../channel.js'
import type { KeyRange } from '../key-space.js'
import type { MemberClient } from '../member.js'
import type { EtcdMethod } from '../messages/method.js'
import type { EtcdWatchResponse, WatchRequest } from '../messages/watch.js'
import { eventRevision, type WatchPosition } from './position.js'
import { ProgressTimer, reportsProgress } from './progress.js'
import { quietUntil } from './quiet-history.js'

export interface WatchStreamOptions {
  readonly clock: Clock
  readonly method: EtcdMethod<WatchRequest, EtcdWatchResponse>
  readonly range: KeyRange
  readonly position: WatchPosition
  readonly progressInterval: number | undefined
  readonly previous: boolean
  /** Whether changes of this revision may come without previous values. */
  readonly mayLackPrevious: (revision: number) => boolean
  /** Takes a batch to report. Returns false if it can take no more for now. */
  readonly report: (batch: WatchBatch, bytes: number) => boolean
  /** Called when the member has started the watch. */
  readonly onBegin: () => void
}

/** A change came without its previous value, which etcd had compacted when it sent the change. */
export class PreviousGoneError extends Error {
  readonly revision: number

  constructor(revision: number) {
    super(`what was replaced at revision ${revision} is gone`)
    this.revision = revision
  }
}

/** One stream of changes from one member, from the position of the watch on. */
export class WatchStream {
  readonly #options: WatchStreamOptions
  readonly #member: MemberClient
  readonly #stream: EtcdStream<WatchRequest>
  #timer: ProgressTimer | undefined
  #isRequesting = false
  #settle: (error?: Error) => void = () => {}
  /** Resolves when the stream was ended here or its changes are no longer taken; rejects if it broke or was rejected. */
  readonly ended: Promise<void>

  constructor(member: MemberClient, options: WatchStreamOptions) {
    this.#options = options
    this.#member = member
    this.ended = new Promise((resolve, reject) => {
      this.#settle = (error) => (error ? reject(error) : resolve())
    })
    const { method, range, position, previous } = options
    this.#stream = member.stream(method, {
      onMessage: (response) => this.#receive(response),
      onEnd: (reason) => this.end(reason),
    })
    this.#stream.send({ ...range, revision: position.restart(), previous })
  }

  end(error?: Error): void {
    this.#timer?.stop()
    this.#stream.cancel()
    this.#settle(error)
  }

  #receive(response: EtcdWatchResponse): void {
    const { position } = this.#options
    const gone = this.#previousGone(response)
    if (response.canceled) this.end(cancellation(response, position.next))
    else if (response.created) this.#begin()
    else if (gone) this.end(new PreviousGoneError(eventRevision(gone)))
    else this.#report(position.accept(response), response.bytes)
  }

  /** Returns the first change that should have a previous value, and has none. */
  #previousGone({ events }: EtcdWatchResponse): StoreEvent | undefined {
    const { previous, position, mayLackPrevious } = this.#options
    if (!previous) return undefined
    return events.find((event) => {
      const revision = eventRevision(event)
      return lacksPrevious(event) && !mayLackPrevious(revision) && revision >= position.next
    })
  }

  #begin(): void {
    const { clock, progressInterval, onBegin } = this.#options
    if (progressInterval !== undefined)
      this.#timer = new ProgressTimer(clock, progressInterval, () => void this.#requestProgress(progressInterval))
    onBegin()
  }

  #report(batch: WatchBatch | undefined, bytes: number): void {
    if (!batch || (batch.events.length === 0 && !this.#timer)) return
    this.#timer?.reported()
    if (!this.#options.report(batch, bytes)) this.end()
  }

  async #requestProgress(interval: number): Promise<void> {
    if (this.#isRequesting) return
    this.#isRequesting = true
    try {
      const limit = Math.max(interval, 2000)
      if (reportsProgress(await this.#member.version(limit))) this.#stream.send('progress')
      else await this.#findProgress(limit)
    } catch (error) {
      // No progress this time. If the member is in trouble, its streams and its heartbeat report that.
      if (!(error instanceof StorageError || error instanceof FailedCallError)) this.end(error as Error)
    } finally {
      this.#isRequesting = false
    }
  }

  async #findProgress(limit: number): Promise<void> {
    const { position, range, clock } = this.#options
    const before = position.next
    const reached = await quietUntil(this.#member, { range, position: before - 1, clock, limit })
    // Changes that came meanwhile have already advanced the watch further.
    if (reached !== undefined && position.next === before) this.#report(position.reach(reached), 0)
  }
}

function cancellation({ compactRevision, cancelReason }: EtcdWatchResponse, next: number): Error {
  if (compactRevision > 0) return new CompactedError(next, compactRevision)
  return new UnavailableError(`etcd ended the watch: ${cancelReason || 'no reason given'}`)
}

function lacksPrevious(event: StoreEvent): boolean {
  return event.previous === undefined && (event.type === 'delete' || event.entry.version > 1)
}
