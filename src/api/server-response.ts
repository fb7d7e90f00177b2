/** Errors for responses without a `Status`, of which only the code is known. */
import { quote } from '../schema/quote.js'
import { ApiError, type ApiErrorReason } from './errors.js'
import { cause, detailsOf, failureStatus, type GroupResource, qualified } from './failure.js'

/** The known facts about the request and its response. */
export interface ServerResponse {
  readonly code: number
  /** The HTTP method. */
  readonly method: string
  readonly resource?: GroupResource
  readonly name?: string
  /** The body of the response, if it was not a `Status`. */
  readonly serverMessage?: string
  readonly retryAfterSeconds?: number
  /** The response did not come from an API server, but from a proxy or the like. */
  readonly unexpected?: boolean
}

interface Meaning {
  readonly reason: ApiErrorReason | ''
  readonly message: string
}

/** Reason and message by code. */
const meanings: ReadonlyMap<number, Meaning> = new Map<number, Meaning>([
  [400, { reason: 'BadRequest', message: 'the server rejected our request for an unknown reason' }],
  [401, { reason: 'Unauthorized', message: 'the server has asked for the client to provide credentials' }],
  [404, { reason: 'NotFound', message: 'the server could not find the requested resource' }],
  [405, { reason: 'MethodNotAllowed', message: 'the server does not allow this method on the requested resource' }],
  [409, { reason: 'Conflict', message: 'the server reported a conflict' }],
  [422, { reason: 'Invalid', message: 'the server rejected our request due to an error in our request' }],
  [
    429,
    {
      reason: 'TooManyRequests',
      message: 'the server has received too many requests and has asked us to try again later',
    },
  ],
  [503, { reason: 'ServiceUnavailable', message: 'the server is currently unable to handle the request' }],
  [
    504,
    {
      reason: 'Timeout',
      message:
        'the server was unable to return a response in the time allotted, but may still be processing the request',
    },
  ],
])

const noTypeFits = 'the server was unable to respond with a content type that the client supports'

function meaningOf({ code, method, serverMessage = '' }: ServerResponse): Meaning {
  if (code === 409 && method === 'POST') return { ...meanings.get(code)!, reason: 'AlreadyExists' }
  if (code === 403) return { reason: 'Forbidden', message: serverMessage }
  if (code === 415) return { reason: 'UnsupportedMediaType', message: serverMessage }
  if (code === 406) {
    const isTelling = serverMessage !== '' && serverMessage !== 'unknown'
    return { reason: 'NotAcceptable', message: isTelling ? serverMessage : noTypeFits }
  }
  return meanings.get(code) ?? withoutMeaning(code, serverMessage)
}

function withoutMeaning(code: number, serverMessage: string): Meaning {
  if (code >= 500) {
    const message = `an error on the server (${quote(serverMessage)}) has prevented the request from succeeding`
    return { reason: 'InternalError', message }
  }
  const message = `the server responded with the status code ${code} but did not return more information`
  return { reason: '', message }
}

/** Creates the error for a response of which only the code is known. */
export function serverResponse(response: ServerResponse): ApiError {
  const { code, resource, name = '', serverMessage = '', retryAfterSeconds = 0, unexpected } = response
  const { reason, message } = meaningOf(response)
  const causes = unexpected ? [cause('UnexpectedServerResponse', serverMessage)] : []
  const details = detailsOf(resource, name, { causes, retryAfterSeconds })
  return new ApiError(failureStatus({ code, reason, message: message + requestText(response), details }))
}

/** ` (get pods web)`; empty if the resource is unknown. */
function requestText({ method, resource, name = '' }: ServerResponse): string {
  if (!resource) return ''
  return ` (${method.toLowerCase()} ${qualified(resource)}${name === '' ? '' : ` ${name}`})`
}
