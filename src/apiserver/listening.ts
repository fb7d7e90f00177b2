import { ApiError } from '../api/errors.js'
import type { Exchange } from './exchange.js'
import { ClientGone } from './serving/body.js'

/** Tells those who listen what the client has sent. */
export function understood({ listeners }: Exchange, object: object): void {
  if (listeners) for (const listener of listeners) listener.understood?.(object)
}

/** Tells those who listen that an answer has begun which goes on for as long as the client likes. */
export function begun(exchange: Exchange): void {
  for (const listener of exchange.listeners ?? []) listener.started?.(exchange)
}

/** Tells those who listen that the request only waits from here on. */
export function waits(exchange: Exchange): void {
  for (const listener of exchange.listeners ?? []) listener.waiting?.(exchange)
}

/** Tells those who listen how a request has ended. Who came last is told first, as things are put away. */
export function concluded(exchange: Exchange, code: number, error?: unknown): void | Promise<void> {
  const { listeners = [] } = exchange
  const isMistake = error !== undefined && !(error instanceof ApiError) && !(error instanceof ClientGone)
  const waiting: Promise<void>[] = []
  for (let index = listeners.length - 1; index >= 0; index--) {
    const told = listeners[index]!.ended(exchange, { code, error, isMistake })
    if (told) waiting.push(told)
  }
  if (waiting.length > 0) return Promise.all(waiting).then(() => undefined)
}
