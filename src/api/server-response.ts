/** Answers that say no more than their code, as servers give them and clients find them. */
import { quote } from '../schema/quote.js'
import { ApiError, type ApiErrorReason } from './errors.js'
import { cause, detailsOf, failureStatus, type GroupResource, qualified } from './failure.js'

/** What is known about the request and the answer. */
export interface ServerResponse {
  readonly code: number
  /** The HTTP method. */
  readonly method: string
  readonly resource?: GroupResource
  readonly name?: string
  /** What the server said, if that was no status. */
  readonly serverMessage?: string
  readonly retryAfterSeconds?: number
  /** The answer came from something that is no API server, such as a proxy between. */
  readonly unexpected?: boolean
}

interface Meaning {
  readonly reason: ApiErrorReason | ''
  readonly message: string
}

/** The meaning of codes on their own. */
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

/** The error for an answer of which only the code is known. */
export function serverResponse(response: ServerResponse): ApiError {
  const { code, resource, name = '', serverMessage = '', retryAfterSeconds = 0, unexpected } = response
  const { reason, message } = meaningOf(response)
  const causes = unexpected ? [cause('UnexpectedServerResponse', serverMessage)] : []
  const details = detailsOf(resource, name, { causes, retryAfterSeconds })
  return new ApiError(failureStatus({ code, reason, message: message + requestText(response), details }))
}

/** ` (get pods web)`; nothing where the resource is not known. */
function requestText({ method, resource, name = '' }: ServerResponse): string {
  if (!resource) return ''
  return ` (${method.toLowerCase()} ${qualified(resource)}${name === '' ? '' : ` ${name}`})`
}
