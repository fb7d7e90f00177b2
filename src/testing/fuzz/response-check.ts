import type { DeliveryResult } from './delivery-result.js'
import type { HostileRequest } from './hostile-request.js'

/** Messages of status 500 that upstream sends as well. */
const knownFailures: readonly RegExp[] = [
  /resourceVersion should not be set on objects to be created/,
  /strconv\.Parse(Uint|Int|Bool): parsing /,
  /resourceVersion: Invalid value/,
  /target\.(name|kind): /, // a binding is checked by rules whose errors nobody turns into 422
  /unable to find api field in struct /, // a strategic merge patch orders a list that the kind has not
  /unknown patch type: /, // a directive of a strategic merge patch that does not exist
  /does not contain declared merge key: /, // nor one that its elements must have
  /expected a .*, but received a /, // nor one of the type that it must have
  /list element types are not identical: /, // a list of this and that in a strategic merge patch
  /failed to create typed patch object/, // an applied configuration that does not fit its kind
  /no preferred addresses found; known addresses: \[\]/, // the proxy of a node that nobody runs
]

/** 501 and 503: something is missing, such as the node of a proxy request. 504: a future resource version. */
const knownCodes: readonly number[] = [501, 503, 504]

/** Returns what is wrong with the result of a request, or undefined. */
export function responseFault(request: HostileRequest, result: DeliveryResult): string | undefined {
  if (result.is === 'hung') return 'neither a response nor the end of the connection'
  if (result.is !== 'answered') return undefined
  const { status, type, body } = result
  if (status < 200 || status > 599) return `a status of ${status}`
  const message = messageOf(type, body)
  if (message === undefined) return `${status} with a body that is no ${type}: ${body.slice(0, 200)}`
  if (status < 500 || knownCodes.includes(status) || isSilent(request)) return undefined
  return knownFailures.some((known) => known.test(message)) ? undefined : `${status}: ${message}`
}

/** A HEAD request to the proxy of a node that does not run gets no error message. */
function isSilent({ method, target }: HostileRequest): boolean {
  return method === 'HEAD' && /\/nodes\/[^/]+\/proxy/.test(target)
}

/** Returns the message; undefined if the body is not the announced JSON. */
function messageOf(type: string, body: string): string | undefined {
  if (type !== 'application/json' || body === '') return body
  try {
    const { message = body } = JSON.parse(body) as { message?: string }
    return message
  } catch {
    return isWatch(body) ? body : undefined
  }
}

/** A watch that ended at once has one event per line. */
function isWatch(body: string): boolean {
  try {
    const events = body.trimEnd().split('\n')
    return events.every((line) => 'type' in JSON.parse(line) && 'object' in JSON.parse(line))
  } catch {
    return false
  }
}
