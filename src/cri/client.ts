import type { Buffer } from 'node:buffer'
import { whenAborted } from '../base/abort.js'
import { type Clock, sleep } from '../base/clock.js'
import type { Environment } from '../base/environment.js'
import { CallLimit } from './call-limit.js'
import { type CallEvent, Channel } from './channel.js'
import { CriError } from './cri-error.js'
import type { PartialMessage } from './interface/message.js'
import type { AnyCriMethod, CallMethod, CallOptions, CriService, StreamMethod } from './interface/service.js'
import { type ContainerRuntime, imageService, runtimeService } from './interface/services.js'
import { callTimeout, defaultTimeout } from './timeouts.js'

export interface CriClientOptions {
  /** The socket of the runtime, such as `unix:///run/containerd/containerd.sock`. */
  readonly endpoint: string
  readonly environment: Environment
  /** Timeout of most calls, in milliseconds. The default is the kubelet's: two minutes. */
  readonly timeout?: number | undefined
}

/** A container runtime on a socket. */
export interface CriClient extends ContainerRuntime, AsyncDisposable {
  /** Resolves when the runtime responds. Rejects with the last error after `limit` milliseconds. */
  ready(limit: number, signal?: AbortSignal): Promise<void>
  /** Cancels active calls. */
  close(): void
}

const statusRetryDelay = 20

/**
 * Returns a client for the runtime on a socket. A call rejects with a `CriError`, or with the reason of its signal. The client
 * never repeats a call, because only the caller knows whether that is safe. After a restart of the runtime the next call
 * reconnects.
 */
export function connectCri({ endpoint, environment, timeout = defaultTimeout }: CriClientOptions): CriClient {
  const channel = new Channel(endpoint)
  const caller = new MethodCaller(channel, environment.clock, timeout)
  const { clock } = environment
  const close = () => channel.close()
  const runtime = { ...caller.methodsOf(runtimeService), ...caller.methodsOf(imageService) } as ContainerRuntime
  return {
    ...runtime,
    async ready(limit, signal) {
      const deadline = clock.monotonic() + limit
      for (;;) {
        const remaining = Math.max(1, deadline - clock.monotonic())
        const failure = await runtime.status({}, { signal, timeout: remaining }).then(
          () => undefined,
          (error) => error as Error,
        )
        if (!failure) return
        if (clock.monotonic() + statusRetryDelay >= deadline || signal?.aborted) throw failure
        await sleep(clock, statusRetryDelay, signal)
      }
    },
    close,
    [Symbol.asyncDispose]: async () => close(),
  }
}

class MethodCaller {
  readonly #channel: Channel
  readonly #clock: Clock
  readonly #timeout: number

  constructor(channel: Channel, clock: Clock, timeout: number) {
    this.#channel = channel
    this.#clock = clock
    this.#timeout = timeout
  }

  methodsOf<Methods extends object>({ name, methods }: CriService<Methods>): object {
    const calls = Object.entries<AnyCriMethod>(methods as Record<string, AnyCriMethod>).map(([key, method]) => {
      const path = `/${name}/${method.name}`
      if (method.kind === 'stream') {
        const stream = (request: PartialMessage<unknown>, options: CallOptions = {}) =>
          this.#stream(path, method, { ...options, request })
        return [key, stream]
      }
      const call = (request: PartialMessage<unknown>, options: CallOptions = {}) =>
        this.#call(path, method, { ...options, request })
      return [key, call]
    })
    return Object.fromEntries(calls)
  }

  async #call<Request, Response>(
    path: string,
    method: CallMethod<Request, Response>,
    { request, signal, timeout }: CallOptions & { readonly request: PartialMessage<Request> },
  ): Promise<Response> {
    const limit = new CallLimit(this.#clock, timeout ?? callTimeout(method.name, request, this.#timeout), signal)
    const bytes = method.request.encode(request)
    try {
      return await new Promise<Response>((resolve, reject) => {
        let response: Response | undefined
        this.#start(path, bytes, limit.signal, (event) => {
          if ('message' in event) response = method.response.decode(event.message)
          else if (event.error) reject(event.error)
          else if (response) resolve(response)
          else reject(new CriError('Internal', `${method.name} ended without a response`))
        })
      })
    } finally {
      limit.release()
    }
  }

  async *#stream<Request, Response>(
    path: string,
    method: StreamMethod<Request, Response>,
    { request, signal, timeout = 0 }: CallOptions & { readonly request: PartialMessage<Request> },
  ): AsyncGenerator<Response> {
    const limit = new CallLimit(this.#clock, timeout, signal)
    const bytes = method.request.encode(request)
    const pending: CallEvent[] = []
    let wake = () => {}
    const stop = this.#start(path, bytes, limit.signal, (event) => {
      pending.push(event)
      wake()
    })
    try {
      for (;;) {
        const event = pending.shift()
        if (!event) await new Promise<void>((resolve) => (wake = resolve))
        else if ('message' in event) yield method.response.decode(event.message)
        else if (event.error) throw event.error
        else return
      }
    } finally {
      limit.release()
      stop()
    }
  }

  /** Calls `listener` with each message and then with the end. Returns a function that cancels the call without a last event. */
  #start(path: string, bytes: Buffer, signal: AbortSignal, listener: (event: CallEvent) => void): () => void {
    if (signal.aborted) {
      listener({ error: signal.reason })
      return () => {}
    }
    const call = this.#channel.start(path, bytes, listener)
    const stopListening = whenAborted(signal, () => {
      call.cancel()
      listener({ error: signal.reason })
    })
    return () => {
      stopListening()
      call.cancel()
    }
  }
}
