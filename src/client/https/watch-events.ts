import type { Readable } from 'node:stream'
import { ApiError } from '../../api/errors.js'
import type { KubeObject } from '../../api/kube-object.js'
import type { Status } from '../../api/meta/v1/status.js'
import type { ReceivedEvent } from '../transport.js'

interface Line {
  readonly type: ReceivedEvent['type'] | 'ERROR'
  readonly object: unknown
}

/** The events of a watch, as many at a time as have come. Ends with the answer, or quietly where `isOver` says that it should. */
export async function* watchEvents(message: Readable, isOver: () => boolean): AsyncIterable<readonly ReceivedEvent[]> {
  message.setEncoding('utf8')
  let rest = ''
  try {
    for await (const text of message) {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      const events = lines.filter((line) => line !== '').map(eventOf)
      if (events.length > 0) yield events
    }
  } catch (error) {
    if (!isOver() || error instanceof ApiError) throw error
  } finally {
    message.destroy()
  }
}

function eventOf(line: string): ReceivedEvent {
  const { type, object } = parsed(line)
  if (type === 'ERROR') throw new ApiError(object as Status)
  return { type, object: { object: object as KubeObject } }
}

/** The parser's own message would quote the object, which may be a secret. */
function parsed(line: string): Line {
  try {
    return JSON.parse(line) as Line
  } catch {
    throw new Error('the server sent an event that is no JSON')
  }
}
