import { Event, type EventSource } from '../../api/core/v1/event.js'
import { ApiError, hasReason } from '../../api/errors.js'
import { sleep } from '../../base/clock.js'
import type { Environment } from '../../base/environment.js'
import type { Client } from '../client.js'
import { withStallTimeout } from '../stall-timeout.js'
import { type CorrelatedEvent, Correlator } from './correlator.js'
import { type DraftEvent, EventDrafter } from './draft-event.js'
import type { EventRecorder, Occurrence } from './event-recorder.js'

/** Upstream's. Times are milliseconds. */
const queuedAtMost = 1000
const triesAtMost = 12
const retryDelay = 10_000
const patience = 30_000

export interface RunningEventRecorder extends EventRecorder, AsyncDisposable {
  /** Resolves when nothing is left to be written. */
  flush(): Promise<void>
  /** Stops at once: what is not written yet never will be. */
  close(): Promise<void>
}

/** Writes what happens as Events of the core group, in the background and one after the other. */
export function eventRecorder(client: Client, source: EventSource, environment: Environment): RunningEventRecorder {
  return new QueueingRecorder(client, source, environment)
}

class QueueingRecorder implements RunningEventRecorder {
  readonly #client: Client
  readonly #environment: Environment
  readonly #drafter: EventDrafter
  readonly #correlator: Correlator
  readonly #closing = new AbortController()
  readonly #dropped: () => void
  #queue: DraftEvent[] = []
  #working: Promise<void> | undefined

  constructor(client: Client, source: EventSource, environment: Environment) {
    this.#client = client
    this.#environment = environment
    const drafter = new EventDrafter(source, environment)
    this.#drafter = drafter
    this.#correlator = new Correlator(environment.clock, (object) => drafter.name(object))
    const dropped = { name: 'event_recorder_dropped_total', help: 'Events that were lost before they were written.' }
    const counter = environment.metrics.counter(dropped)
    this.#dropped = () => counter.inc()
  }

  record(occurrence: Occurrence): void {
    if (this.#closing.signal.aborted) return
    if (this.#queue.length >= queuedAtMost) {
      this.#drop('too many events wait to be written', { occurrence })
      return
    }
    try {
      this.#queue.push(this.#drafter.draft(occurrence))
      this.#working ??= this.#work()
    } catch (error) {
      this.#drop('what happened cannot be told as an event', { occurrence, error })
    }
  }

  async flush(): Promise<void> {
    while (this.#working) await this.#working
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the event recorder was closed'))
    this.#queue = []
    await this.flush()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #drop(message: string, { occurrence, error }: { readonly occurrence: Occurrence; readonly error?: unknown }): void {
    const { reason, message: told } = occurrence
    this.#dropped()
    this.#environment.log.error(message, { reason, told, ...(error !== undefined && { error }) })
  }

  async #work(): Promise<void> {
    await Promise.resolve() // whoever records does not wait for the first request to be made
    for (let draft = this.#queue.shift(); draft; draft = this.#queue.shift()) {
      const correlated = this.#correlator.correlate(draft)
      if (correlated) await this.#writePersistently(correlated)
    }
    this.#working = undefined
  }

  /** Only what does not reach the server is tried again, or what the server itself wants to see later. */
  async #writePersistently(correlated: CorrelatedEvent): Promise<void> {
    const { clock, log } = this.#environment
    const { signal } = this.#closing
    const fields = { event: correlated.event.metadata.name, namespace: correlated.event.metadata.namespace }
    for (let tries = 1; !signal.aborted; tries++) {
      try {
        return await this.#write(correlated)
      } catch (error) {
        if (signal.aborted) return
        const delay = this.#retryDelay(error, tries)
        if (delay === undefined) return this.#refused(error, fields)
        if (tries === triesAtMost) return log.error('an event was given up', { error, ...fields })
        await sleep(clock, delay, signal).catch(() => {}) // only the signal ends it, and that is looked at anyway
      }
    }
  }

  async #write({ event, isRepeated }: CorrelatedEvent): Promise<void> {
    const events = this.#client.resource(Event).in(event.metadata.namespace)
    const { count, lastTimestamp, message, metadata } = event
    try {
      if (isRepeated) {
        const patch = { count, lastTimestamp, message }
        await this.#attend((signal) => events.patch(metadata.name, 'strategic', patch, { signal, retries: 0 }))
        return
      }
    } catch (error) {
      if (!hasReason(error, 'NotFound')) throw error // Events do not last for ever
    }
    await this.#attend((signal) => events.create(event, { signal, retries: 0 }))
  }

  #attend(ask: (signal: AbortSignal) => Promise<Event>): Promise<Event> {
    const { clock } = this.#environment
    return withStallTimeout(ask, { clock, signal: this.#closing.signal, limit: () => patience })
  }

  /** In milliseconds; undefined if the server has refused for good. */
  #retryDelay(error: unknown, tries: number): number | undefined {
    if (error instanceof ApiError)
      return error.retryAfterSeconds === undefined ? undefined : 1000 * error.retryAfterSeconds
    // When a server is back, not all who waited for it come at the same moment.
    return tries === 1 ? retryDelay * this.#environment.random.float() : retryDelay
  }

  #refused(error: unknown, fields: object): void {
    const isUsual = hasReason(error, 'AlreadyExists') || isNamespaceGoing(error)
    this.#environment.log[isUsual ? 'debug' : 'error']('the server refused an event', { error, ...fields })
  }
}

function isNamespaceGoing(error: unknown): boolean {
  const causes = error instanceof ApiError ? error.status().details?.causes : undefined
  return causes?.some(({ reason }) => reason === 'NamespaceTerminating') ?? false
}
