import { unlessAborted } from '../base/abort.js'
import type { Environment } from '../base/environment.js'
import { CallLimit } from './call-limit.js'
import type { PartialMessage } from './interface/message.js'
import type { AnyCriMethod, CallMethod, CallOptions, StreamMethod } from './interface/service.js'
import {
  type ContainerRuntime,
  imageService,
  type RuntimeImplementation,
  runtimeService,
} from './interface/services.js'
import { type CallHandler, methodHandler, type StreamHandler } from './method-handlers.js'
import { callTimeout, defaultTimeout } from './timeouts.js'

export interface InProcessRuntimeOptions {
  readonly environment: Environment
  /** As for a client. */
  readonly timeout?: number | undefined
}

/**
 * A runtime of this process, as its users would see it behind a socket, without one: requests and answers are complete
 * messages of their own, errors are `CriError`s, time limits are kept, and a call that is given up is given up.
 */
export function inProcessRuntime(
  implementation: RuntimeImplementation,
  options: InProcessRuntimeOptions,
): ContainerRuntime {
  const methods = { ...runtimeService.methods, ...imageService.methods } as unknown as Record<string, AnyCriMethod>
  const calls = Object.entries(methods).map(([name, method]) => {
    const answer = methodHandler(implementation, name, method)
    if (method.kind === 'stream') return [name, inProcessStream(answer as StreamHandler, method, options)]
    return [name, inProcessCall(answer as CallHandler, method, options)]
  })
  return Object.fromEntries(calls) as ContainerRuntime
}

function inProcessCall(
  answer: CallHandler,
  method: CallMethod<unknown, unknown>,
  { environment, timeout = defaultTimeout }: InProcessRuntimeOptions,
) {
  return async (request: PartialMessage<unknown>, options: CallOptions = {}) => {
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

function inProcessStream(
  answers: StreamHandler,
  method: StreamMethod<unknown, unknown>,
  { environment }: InProcessRuntimeOptions,
) {
  return async function* (request: PartialMessage<unknown>, options: CallOptions = {}) {
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
