import { expired } from '../../api/errors.js'
import { whenAborted } from '../../base/abort.js'
import { type Clock, sleep } from '../../base/clock.js'
import type { ClientRequest, ReceivedEvent, Transport, TransportResult } from '../../client/transport.js'

/** What befalls a request. Times are milliseconds. */
export interface TransportFault {
  /** Does not reach the server: it is refused with this error. */
  readonly refused?: Error
  /** Reaches the server, and this is all that the client learns of it. */
  readonly responseLost?: Error
  /** No answer ever comes, whether or not the server has seen the request. */
  readonly hangs?: 'before' | 'after'
  readonly requestDelay?: number
  readonly responseDelay?: number
  /** What becomes of a watch, and when. */
  readonly watch?: { readonly how: WatchFault; readonly after: number }
}

/** `stalled`: nothing more is heard, and nobody says so, as on a connection of which the other side is gone. */
export type WatchFault = 'cut' | 'ended' | 'stalled' | 'expired'

const connectionReset = () => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })

/** A way to a server on which things go wrong as a test wants it, in the test's own time. */
export class FaultyTransport implements Transport {
  readonly #clock: Clock
  readonly #server: () => Transport
  readonly #faultOf: (request: ClientRequest) => TransportFault
  #isCut = false

  /** `server` is asked for each request: it may be another one by then. */
  constructor(clock: Clock, server: () => Transport, faultOf: (request: ClientRequest) => TransportFault = () => ({})) {
    this.#clock = clock
    this.#server = server
    this.#faultOf = faultOf
  }

  /** As long as it lasts, nothing goes either way, and nobody is told. Watches that were open never go on. */
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
    const { response: answer } = result
    if (answer.is !== 'watch') return result
    const events = this.#struck(answer.events, watch, ending)
    return { ...result, response: { ...answer, events } }
  }

  async *#struck(
    events: AsyncIterable<readonly ReceivedEvent[]>,
    fault: TransportFault['watch'],
    ending: AbortController,
  ): AsyncGenerator<readonly ReceivedEvent[], void, undefined> {
    const { signal } = ending
    const strike = strikeAfter(this.#clock, fault?.after ?? Number.POSITIVE_INFINITY)
    const source = events[Symbol.asyncIterator]()
    try {
      for (;;) {
        const next = await Promise.race([source.next(), strike.struck])
        if (this.#isCut) await never(signal)
        if (next === 'struck') return await befall(fault!.how, signal)
        if (next.done) return
        yield next.value
      }
    } finally {
      strike.cancel()
      ending.abort()
    }
  }
}

function strikeAfter(clock: Clock, delay: number) {
  let strike!: (struck: 'struck') => void
  const struck = new Promise<'struck'>((resolve) => {
    strike = resolve
  })
  const timer = clock.timer(delay, () => strike('struck'))
  return { struck, cancel: () => timer.cancel() }
}

async function befall(how: WatchFault, signal: AbortSignal): Promise<void> {
  if (how === 'cut') throw connectionReset()
  if (how === 'expired') throw expired('too old resource version: 1 (2)')
  if (how === 'stalled') await never(signal)
}

/** Only the one who waits can end it. */
function never(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    whenAborted(signal, () => reject(signal?.reason))
    if (signal?.aborted) reject(signal.reason)
  })
}
