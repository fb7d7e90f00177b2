import type { Readable } from 'node:stream'
import { ApiError } from '../../api/errors.js'
import type { KubeObject } from '../../api/kube-object.js'
import type { Status } from '../../api/meta/v1/status.js'
import type { ReceivedEvent } from '../transport.js'

interface Line {
  readonly type: ReceivedEvent['type'] | 'ERROR'
  readonly object: unknown
}

/**
 * Yields the events of a watch in batches, as they arrive. Ends with the response. If the connection breaks, it throws, or just ends if
 * `isOver` returns true.
 */
export async function* watchEvents(body: Readable, isOver: () => boolean): AsyncIterable<readonly ReceivedEvent[]> {
  body.setEncoding('utf8')
  let rest = ''
  try {
    for await (const text of body) {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      const events = lines.filter((line) => line !== '').map(eventOf)
      if (events.length > 0) yield events
    }
  } catch (error) {
    if (!isOver() || error instanceof ApiError) throw error
  } finally {
    body.destroy()
  }
}

function eventOf(line: string): ReceivedEvent {
  const { type, object } = parseLine(line)
  if (type === 'ERROR') throw new ApiError(object as Status)
  return { type, object: { object: object as KubeObject } }
}

/** Parses without the parser's own message, which would quote the object: it may be a secret. */
function parseLine(line: string): Line {
  try {
    return JSON.parse(line) as Line
  } catch {
    throw new Error('the server sent an event that is not JSON')
  }
}
