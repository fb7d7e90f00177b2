import type { Writable } from 'node:stream'
import { ClientGone } from './body.js'

type Closable = Pick<Writable, 'destroyed' | 'writableFinished' | 'once'> & {
  /** HTTP/2: the client has reset the stream. */
  readonly aborted?: boolean
}

/** Returns a signal that is aborted when the client disconnects before the end of the response. */
export function signalOf(stream: Closable): AbortSignal {
  const controller = new AbortController()
  const abort = () => {
    if (stream.aborted || !stream.writableFinished) controller.abort(new ClientGone('the client has gone'))
  }
  if (stream.destroyed) abort()
  else stream.once('close', abort)
  return controller.signal
}
