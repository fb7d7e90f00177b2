import { unlessAborted } from '../base/abort.js'
import type { Environment } from '../base/environment.js'
import { type Answer, type Answers, answerOf } from './answers.js'
import { CallLimit } from './call-limit.js'
import type { Draft } from './interface/message.js'
import type { AnyMethod, Call, CallOptions, Stream } from './interface/service.js'
import {
  type ContainerRuntime,
  imageService,
  type RuntimeImplementation,
  runtimeService,
} from './interface/services.js'
import { callTimeout, usualTimeout } from './timeouts.js'

export interface InProcessOptions {
  readonly environment: Environment
  /** As for a client. */
  readonly timeout?: number | undefined
}

/**
 * A runtime of this process, as its users would see it behind a socket, without one: requests and answers are complete
 * messages of their own, errors are `CriError`s, time limits are kept, and a call that is given up is given up.
 */
export function inProcess(implementation: RuntimeImplementation, options: InProcessOptions): ContainerRuntime {
  const methods = { ...runtimeService.methods, ...imageService.methods } as unknown as Record<string, AnyMethod>
  const calls = Object.entries(methods).map(([name, method]) => {
    const answer = answerOf(implementation, name, method)
    if (method.kind === 'stream') return [name, streamOf(answer as Answers, method, options)]
    return [name, callOf(answer as Answer, method, options)]
  })
  return Object.fromEntries(calls) as ContainerRuntime
}

function callOf(
  answer: Answer,
  method: Call<unknown, unknown>,
  { environment, timeout = usualTimeout }: InProcessOptions,
) {
  return async (request: Draft<unknown>, options: CallOptions = {}) => {
    const time = options.timeout ?? callTimeout(method.name, request, timeout)
    const limit = new CallLimit(environment.clock, time, options.signal)
    const { signal } = limit
    try {
      signal.throwIfAborted()
      return method.response.complete(await unlessAborted(answer(method.request.complete(request), { signal }), signal))
    } finally {
      limit.release()
    }
  }
}

function streamOf(answers: Answers, method: Stream<unknown, unknown>, { environment }: InProcessOptions) {
  return async function* (request: Draft<unknown>, options: CallOptions = {}) {
    const limit = new CallLimit(environment.clock, options.timeout ?? 0, options.signal)
    const { signal } = limit
    try {
      signal.throwIfAborted()
      for await (const answer of answers(method.request.complete(request), { signal }))
        yield method.response.complete(answer)
      signal.throwIfAborted()
    } catch (error) {
      throw signal.aborted ? signal.reason : error
    } finally {
      limit.release()
    }
  }
}
