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
  /** Timeout of most calls, in milliseconds, as for a client. */
  readonly timeout?: number | undefined
}

/**
 * Wraps a runtime of this process so that it behaves as if it were on a socket: requests and responses are complete copies, errors
 * are `CriError`s, and timeouts and abort signals are honoured.
 */
export function inProcessRuntime(
  implementation: RuntimeImplementation,
  options: InProcessRuntimeOptions,
): ContainerRuntime {
  const methods = { ...runtimeService.methods, ...imageService.methods } as unknown as Record<string, AnyCriMethod>
  const calls = Object.entries(methods).map(([name, method]) => {
    const handler = methodHandler(implementation, name, method)
    if (method.kind === 'stream') return [name, inProcessStream(handler as StreamHandler, method, options)]
    return [name, inProcessCall(handler as CallHandler, method, options)]
  })
  return Object.fromEntries(calls) as ContainerRuntime
}

function inProcessCall(
  handler: CallHandler,
  method: CallMethod<unknown, unknown>,
  { environment, timeout = defaultTimeout }: InProcessRuntimeOptions,
) {
  return async (request: PartialMessage<unknown>, options: CallOptions = {}) => {
    const time = options.timeout ?? callTimeout(method.name, request, timeout)
    const limit = new CallLimit(environment.clock, time, options.signal)
    try {
      limit.throwIfOver()
      return method.response.complete(await limit.race(handler(method.request.complete(request), limit)))
    } finally {
      limit.release()
    }
  }
}

function inProcessStream(
  handler: StreamHandler,
  method: StreamMethod<unknown, unknown>,
  { environment }: InProcessRuntimeOptions,
) {
  return async function* (request: PartialMessage<unknown>, options: CallOptions = {}) {
    const limit = new CallLimit(environment.clock, options.timeout ?? 0, options.signal)
    const { signal } = limit
    try {
      signal.throwIfAborted()
      for await (const response of handler(method.request.complete(request), { signal }))
        yield method.response.complete(response)
      signal.throwIfAborted()
    } catch (error) {
      throw signal.aborted ? signal.reason : error
    } finally {
      limit.release()
    }
  }
}
