import type { Socket } from 'node:net'
import { setTimeout as realDelay } from 'node:timers/promises'
import type { ServerTraffic } from '../apiserver/options.js'
import type { ApiRequest } from '../apiserver/request/request-context.js'
import { systemClock } from '../base/clock.js'

/** All in milliseconds of real time. */
const pollInterval = 2
/** A client that was sent something has so long to react. It is halved each time that no client reacts, down to the shortest. */
const longestGrace = 24
const shortestGrace = 6
/** Time stands still for so long at most: a client that hangs, or never stops to talk, cannot stop time for ever. */
const longestWait = 2000
const shortestWait = 10

/**
 * The clients that use a cluster over the network. They live in real time, and a virtual clock would outrun them: so its time stands still
 * while one of their requests is being answered, and for a short grace after bytes have moved on one of their connections, in which a client
 * can react to a response or to an event of a watch. Clients in the same process without sockets need none of this.
 */
export class OutsideClients implements ServerTraffic {
  readonly #sockets = new Set<Socket>()
  /** Requests that are being answered, watches and the like excepted. */
  readonly #requests = new Set<ApiRequest>()
  /** Bytes that had moved when time was last free to move, on the connections that were open then. */
  #seenBytes = 0
  #grace = longestGrace
  #patience = longestWait

  connected(socket: Socket): void {
    this.#sockets.add(socket)
    this.#grace = longestGrace
    socket.once('close', () => this.#sockets.delete(socket))
  }

  requested(request: ApiRequest, answered: Promise<void>): void {
    if (isLongRunning(request)) return
    const done = () => this.#requests.delete(request)
    this.#requests.add(request)
    answered.then(done, done)
  }

  /** Whether a client is connected. */
  get areConnected(): boolean {
    return this.#sockets.size > 0
  }

  /** A gate of a virtual clock: undefined if no client is being served and none has something to react to. */
  readonly quiet = (): Promise<void> | undefined => {
    if (this.#sockets.size === 0) return undefined
    if (this.#requests.size === 0 && this.#bytes() === this.#seenBytes) return undefined
    return this.#untilQuiet()
  }

  /** Resolves when nothing was open and no byte has moved during the grace. Gives up when patience ends, and has less patience next time. */
  async #untilQuiet(): Promise<void> {
    const began = systemClock.monotonic()
    let [bytes, lastMove] = [this.#bytes(), began]
    let hasReacted = false
    for (;;) {
      await realDelay(pollInterval)
      const now = systemClock.monotonic()
      if (this.#bytes() !== bytes || this.#requests.size > 0) {
        hasReacted ||= now - began > pollInterval
        ;[bytes, lastMove] = [this.#bytes(), now]
      }
      const isQuiet = now - lastMove >= this.#grace
      if (!isQuiet && now - began < this.#patience) continue
      this.#seenBytes = bytes
      if (!isQuiet) this.#requests.clear() // one that hangs is waited for only once
      this.#grace = hasReacted ? longestGrace : Math.max(this.#grace / 2, shortestGrace)
      this.#patience = isQuiet ? longestWait : Math.max(this.#patience / 2, shortestWait)
      return
    }
  }

  #bytes(): number {
    let sum = 0
    for (const { bytesRead, bytesWritten } of this.#sockets) sum += bytesRead + bytesWritten
    return sum
  }
}

/** Requests that last for as long as the client likes. */
function isLongRunning({ query, path }: ApiRequest): boolean {
  if (isTrue(query.get('watch')) || isTrue(query.get('follow'))) return true
  return /\/(watch|exec|attach|portforward|proxy)(\/|$)/.test(path)
}

function isTrue(value: string | null): boolean {
  return value === 'true' || value === '1'
}
