import type { Clock } from '../../base/clock.js'
import { FailedCallError } from './call-errors.js'
import type { MemberClient } from './member.js'
import type { EtcdMethod } from './messages/method.js'

export interface StreamCall<Request, Response> {
  readonly method: EtcdMethod<Request, Response>
  readonly request: Request
  /** Other messages are ignored. */
  readonly isResponse: (response: Response) => boolean
}

/**
 * Sends one request over a new stream, and resolves with the first response that matches. Rejects with a `FailedCallError` or a
 * `RejectedCallError`.
 */
export function callOverStream<Request, Response>(
  member: MemberClient,
  { method, request, isResponse }: StreamCall<Request, Response>,
  clock: Clock,
  limit: number,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const stream = member.stream(method, {
      onMessage(response) {
        if (!isResponse(response)) return
        end()
        resolve(response)
      },
      onEnd(reason) {
        end()
        reject(reason)
      },
    })
    const timer = clock.timer(limit, () => {
      end()
      reject(new FailedCallError('no response in time', true))
    })
    const end = () => {
      timer.cancel()
      stream.cancel()
    }
    stream.send(request)
  })
}
