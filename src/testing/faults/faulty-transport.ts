import { expired } from '../../api/errors.js'
import { whenAborted } from '../../base/abort.js'
import { type Clock, sleep } from '../../base/clock.js'
import type { ClientRequest, ReceivedEvent, Transport, TransportResult } from '../../client/transport.js'

/** The faults of one request. Times are milliseconds. */
export interface TransportFault {
  /** The request fails with this error and does not reach the server. */
  readonly refused?: Error
  /** The request reaches the server, and the client gets this error instead of the response. */
  readonly responseLost?: Error
  /** No response arrives: the request hangs before or after it reaches the server. */
  readonly hangs?: 'before' | 'after'
  readonly requestDelay?: number
  readonly responseDelay?: number
  /** The fault of a watch, and its delay. */
  readonly watch?: { readonly how: WatchFault; readonly after: number }
}

/** `stalled`: no more events arrive and the connection stays open, as if the peer had vanished. */
export type WatchFault = 'cut' | 'ended' | 'stalled' | 'expired'

const connectionReset = () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })

/** A transport that injects the faults a test chooses, on the test's own clock. */
export class FaultyTransport implements Transport {
  readonly #clock: Clock
  readonly #server: () => Transport
  readonly #faultOf: (request: ClientRequest) => TransportFault
  #isCut = false

  /** Calls `server` for every request, because the server may have been replaced. */
  constructor(clock: Clock, server: () => Transport, faultOf: (request: ClientRequest) => TransportFault = () => ({})) {
    this.#clock = clock
    this.#server = server
    this.#faultOf = faultOf
  }

  /** While the partition lasts, requests and responses are dropped silently. Open watches never resume. */
  partition(isCut: boolean): void {
    this.#isCut = isCut
  }

  async send(request: ClientRequest): Promise<TransportResult> {
    const { signal } = request
    const fault = this.#faultOf(request)
    if (fault.requestDelay) await sleep(this.#clock, fault.requestDelay, signal)
    if (fault.refused) throw fault.refused
    if (this.#isCut || fault.hangs === 'before') return never(signal)
    const ending = new AbortController()
    const stopListening = whenAborted(signal, () => ending.abort())
    const result = await this.#server().send({ ...request, signal: ending.signal })
    if (request.responseType !== 'watch') stopListening()
    if (fault.responseDelay) await sleep(this.#clock, fault.responseDelay, signal)
    if (this.#isCut || fault.hangs === 'after') return never(signal)
    if (fault.responseLost) throw fault.responseLost
    return result.response.is === 'watch' ? this.#watch(result, fault, ending) : result
  }

  close(): void {
    this.#server().close()
  }

  #watch(result: TransportResult, { watch }: TransportFault, ending: AbortController): TransportResult {
    const { response } = result
    if (response.is !== 'watch') return result
    const events = this.#withFault(response.events, watch, ending)
    return { ...result, response: { ...response, events } }
  }

  async *#withFault(
    events: AsyncIterable<readonly ReceivedEvent[]>,
    fault: TransportFault['watch'],
    ending: AbortController,
  ): AsyncGenerator<readonly ReceivedEvent[], void, undefined> {
    const { signal } = ending
    const timer = faultAfter(this.#clock, fault?.after ?? Number.POSITIVE_INFINITY)
    const source = events[Symbol.asyncIterator]()
    try {
      for (;;) {
        const next = await Promise.race([source.next(), timer.fired])
        if (this.#isCut) await never(signal)
        if (next === 'fault') return await applyWatchFault(fault!.how, signal)
        if (next.done) return
        yield next.value
      }
    } finally {
      timer.cancel()
      ending.abort()
    }
  }
}

function faultAfter(clock: Clock, delay: number) {
  let fire!: (fault: 'fault') => void
  const fired = new Promise<'fault'>((resolve) => {
    fire = resolve
  })
  const timer = clock.timer(delay, () => fire('fault'))
  return { fired, cancel: () => timer.cancel() }
}

async function applyWatchFault(how: WatchFault, signal: AbortSignal): Promise<void> {
  if (how === 'cut') throw connectionReset()
  if (how === 'expired') throw expired('too old resource version: 1 (2)')
  if (how === 'stalled') await never(signal)
}

/** Never resolves; rejects when `signal` is aborted. */
function never(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    whenAborted(signal, () => reject(signal?.reason))
    if (signal?.aborted) reject(signal.reason)
  })
}
