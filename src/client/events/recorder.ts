import { Event, type EventSource } from '../../api/core/v1/event.js'
import { ApiError, hasReason } from '../../api/errors.js'
import { sleep } from '../../base/clock.js'
import type { Environment } from '../../base/environment.js'
import type { Client } from '../client.js'
import { withStallTimeout } from '../stall-timeout.js'
import { type CorrelatedEvent, Correlator } from './correlator.js'
import { type DraftEvent, EventDrafter } from './draft-event.js'
import type { EventRecorder, Occurrence } from './event-recorder.js'

/** Upstream's limits. Times are milliseconds. */
const maxQueued = 1000
const maxTries = 12
const retryDelay = 10_000
const requestTimeout = 30_000

export interface RunningEventRecorder extends EventRecorder, AsyncDisposable {
  /** Resolves when everything is written. */
  flush(): Promise<void>
  /** Stops at once. Events that are not written yet are lost. */
  close(): Promise<void>
}

/** Writes occurrences as Events of the core group, in the background and one after the other. */
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
    if (this.#queue.length >= maxQueued) {
      this.#drop('event queue full', { occurrence })
      return
    }
    try {
      this.#queue.push(this.#drafter.draft(occurrence))
      this.#working ??= this.#work()
    } catch (error) {
      this.#drop('invalid event', { occurrence, error })
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
    const { reason, message: text } = occurrence
    this.#dropped()
    this.#environment.log.error(message, { reason, eventMessage: text, ...(error !== undefined && { error }) })
  }

  async #work(): Promise<void> {
    await Promise.resolve() // the caller of `record` does not wait for the first request
    for (let draft = this.#queue.shift(); draft; draft = this.#queue.shift()) {
      const correlated = this.#correlator.correlate(draft)
      if (correlated) await this.#writePersistently(correlated)
    }
    this.#working = undefined
  }

  /** Retries only if the server could not be reached, or asked for a retry. */
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
        if (delay === undefined) return this.#rejected(error, fields)
        if (tries === maxTries) return log.error('event dropped after too many attempts', { error, ...fields })
        await sleep(clock, delay, signal).catch(() => {}) // only the signal ends it, and the loop checks that
      }
    }
  }

  async #write({ event, isRepeated }: CorrelatedEvent): Promise<void> {
    const events = this.#client.resource(Event).in(event.metadata.namespace)
    const { count, lastTimestamp, message, metadata } = event
    try {
      if (isRepeated) {
        const patch = { count, lastTimestamp, message }
        await this.#send((signal) => events.patch(metadata.name, 'strategic', patch, { signal, retries: 0 }))
        return
      }
    } catch (error) {
      if (!hasReason(error, 'NotFound')) throw error // Events expire
    }
    await this.#send((signal) => events.create(event, { signal, retries: 0 }))
  }

  #send(send: (signal: AbortSignal) => Promise<Event>): Promise<Event> {
    const { clock } = this.#environment
    return withStallTimeout(send, { clock, signal: this.#closing.signal, limit: () => requestTimeout })
  }

  /** Returns milliseconds; undefined if the server rejected the event for good. */
  #retryDelay(error: unknown, tries: number): number | undefined {
    if (error instanceof ApiError)
      return error.retryAfterSeconds === undefined ? undefined : 1000 * error.retryAfterSeconds
    // Spreads the retries of many components when a server comes back.
    return tries === 1 ? retryDelay * this.#environment.random.float() : retryDelay
  }

  #rejected(error: unknown, fields: object): void {
    const isUsual = hasReason(error, 'AlreadyExists') || isNamespaceTerminating(error)
    this.#environment.log[isUsual ? 'debug' : 'error']('event rejected by the server', { error, ...fields })
  }
}

function isNamespaceTerminating(error: unknown): boolean {
  const causes = error instanceof ApiError ? error.status().details?.causes : undefined
  return causes?.some(({ reason }) => reason === 'NamespaceTerminating') ?? false
}
