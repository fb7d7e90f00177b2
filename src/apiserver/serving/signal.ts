import type { Writable } from 'node:stream'
import { ClientGone } from './body.js'

type Closable = Pick<Writable, 'destroyed' | 'writableFinished' | 'once'> & {
  /** HTTP/2: the stream was ended from outside. */
  readonly aborted?: boolean
}

/** Aborted when the other side goes away before all has been said to it. */
export function signalOf(stream: Closable): AbortSignal {
  const controller = new AbortController()
  const abort = () => {
    if (stream.aborted || !stream.writableFinished) controller.abort(new ClientGone('the client has gone'))
  }
  if (stream.destroyed) abort()
  else stream.once('close', abort)
  return controller.signal
}
