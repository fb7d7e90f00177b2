import { ApiError } from '../api/errors.js'
import type { Exchange } from './exchange.js'

/** Tells those who listen that an answer has begun which goes on for as long as the client likes. */
export function begun(exchange: Exchange): void {
  for (const listener of exchange.listeners ?? []) listener.started?.(exchange)
}

/** Tells those who listen how a request has ended. Who was told last is told first, as things are put away. */
export async function concluded(exchange: Exchange, code: number, error?: unknown): Promise<void> {
  const isMistake = error !== undefined && !(error instanceof ApiError)
  for (const listener of [...(exchange.listeners ?? [])].reverse()) {
    const told = listener.ended(exchange, { code, error, isMistake })
    if (told) await told
  }
}
