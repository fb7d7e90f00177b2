import { ApiError } from '../../api/errors.js'
import { ClientGone } from '../serving/body.js'
import type { RequestContext } from './request-context.js'

/** Tells those who listen what the client has sent. */
export function reportDecoded({ listeners }: RequestContext, object: object): void {
  if (listeners) for (const listener of listeners) listener.decoded?.(object)
}

/** Tells those who listen that an answer has begun which goes on for as long as the client likes. */
export function reportStarted(context: RequestContext): void {
  for (const listener of context.listeners ?? []) listener.started?.(context)
}

/** Tells those who listen that the request only waits from here on. */
export function reportWaiting(context: RequestContext): void {
  for (const listener of context.listeners ?? []) listener.waiting?.(context)
}

/** Tells those who listen how a request has ended. Who came last is told first, as things are put away. */
export function reportEnded(context: RequestContext, code: number, error?: unknown): void | Promise<void> {
  const { listeners = [] } = context
  const isMistake = error !== undefined && !(error instanceof ApiError) && !(error instanceof ClientGone)
  const waiting: Promise<void>[] = []
  for (let index = listeners.length - 1; index >= 0; index--) {
    const told = listeners[index]!.ended(context, { code, error, isInternalError: isMistake })
    if (told) waiting.push(told)
  }
  if (waiting.length > 0) return Promise.all(waiting).then(() => undefined)
}
