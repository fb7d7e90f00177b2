import { ApiError } from '../../api/errors.js'
import { ClientGone } from '../serving/body.js'
import type { RequestContext } from './request-context.js'

/** Passes the decoded object of the request to its listeners. */
export function reportDecoded({ listeners }: RequestContext, object: object): void {
  if (listeners) for (const listener of listeners) listener.decoded?.(object)
}

/** Reports that an open-ended response has started. */
export function reportStarted(context: RequestContext): void {
  for (const listener of context.listeners ?? []) listener.started?.(context)
}

/** Reports that the request only waits from now on. */
export function reportWaiting(context: RequestContext): void {
  for (const listener of context.listeners ?? []) listener.waiting?.(context)
}

/** Reports the end of a request, to the last listener first. */
export function reportEnded(context: RequestContext, code: number, error?: unknown): void | Promise<void> {
  const { listeners = [] } = context
  const isMistake = error !== undefined && !(error instanceof ApiError) && !(error instanceof ClientGone)
  const waiting: Promise<void>[] = []
  for (let index = listeners.length - 1; index >= 0; index--) {
    const reporting = listeners[index]!.ended(context, { code, error, isInternalError: isMistake })
    if (reporting) waiting.push(reporting)
  }
  if (waiting.length > 0) return Promise.all(waiting).then(() => undefined)
}
