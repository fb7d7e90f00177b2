import type { Clock } from '../../base/clock.js'
import { FailedCallError } from './call-errors.js'
import type { MemberClient } from './member.js'
import type { EtcdMethod } from './messages/method.js'

export interface Exchange<Request, Response> {
  readonly method: EtcdMethod<Request, Response>
  readonly request: Request
  /** Other messages are passed over. */
  readonly isAnswer: (response: Response) => boolean
}

/** One question and one answer over a stream that is opened for them alone. Rejects with a `Failure` or a `Refusal`. */
export function exchange<Request, Response>(
  member: MemberClient,
  { method, request, isAnswer }: Exchange<Request, Response>,
  clock: Clock,
  limit: number,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const stream = member.stream(method, {
      onMessage(response) {
        if (!isAnswer(response)) return
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
      reject(new FailedCallError('no answer in time', true))
    })
    const end = () => {
      timer.cancel()
      stream.cancel()
    }
    stream.send(request)
  })
}
