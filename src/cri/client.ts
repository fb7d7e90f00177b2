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
  /** Where the runtime listens, such as `unix:///run/containerd/containerd.sock`. */
  readonly endpoint: string
  readonly environment: Environment
  /** Milliseconds for a call that needs no more than usual; two minutes unless told, as the kubelet has it. */
  readonly timeout?: number | undefined
}

/** A container runtime behind a socket. */
export interface CriClient extends ContainerRuntime, AsyncDisposable {
  /** Resolves when the runtime is at work; rejects with what is wrong when it is not within `limit` milliseconds. */
  ready(limit: number, signal?: AbortSignal): Promise<void>
  /** Calls under way are cancelled. */
  close(): void
}

const statusRetryDelay = 20

/**
 * The runtime that listens on a socket, spoken to as the kubelet does. A call rejects with a `CriError`, or with the reason of
 * the signal that gave it up. Nothing is asked twice: whether a failed call may be repeated only its caller can know. A runtime
 * that went away and came back is found again by the next call.
 */
export function connectCri({ endpoint, environment, timeout = defaultTimeout }: CriClientOptions): CriClient {
  const channel = new Channel(endpoint)
  const client = new MethodCaller(channel, environment.clock, timeout)
  const { clock } = environment
  const close = () => channel.close()
  const runtime = { ...client.methodsOf(runtimeService), ...client.methodsOf(imageService) } as ContainerRuntime
  return {
    ...runtime,
    async ready(limit, signal) {
      const until = clock.monotonic() + limit
      for (;;) {
        const left = Math.max(1, until - clock.monotonic())
        const failure = await runtime.status({}, { signal, timeout: left }).then(
          () => undefined,
          (error) => error as Error,
        )
        if (!failure) return
        if (clock.monotonic() + statusRetryDelay >= until || signal?.aborted) throw failure
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
        let answer: Response | undefined
        this.#start(path, bytes, limit.signal, (outcome) => {
          if ('message' in outcome) answer = method.response.decode(outcome.message)
          else if (outcome.error) reject(outcome.error)
          else if (answer) resolve(answer)
          else reject(new CriError('Internal', `${method.name} ended without an answer`))
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
    const waiting: CallEvent[] = []
    let wake = () => {}
    const stop = this.#start(path, bytes, limit.signal, (outcome) => {
      waiting.push(outcome)
      wake()
    })
    try {
      for (;;) {
        const outcome = waiting.shift()
        if (!outcome) await new Promise<void>((resolve) => (wake = resolve))
        else if ('message' in outcome) yield method.response.decode(outcome.message)
        else if (outcome.error) throw outcome.error
        else return
      }
    } finally {
      limit.release()
      stop()
    }
  }

  /** Tells each message and then the end. What it returns gives the call up in silence. */
  #start(path: string, bytes: Buffer, signal: AbortSignal, tell: (outcome: CallEvent) => void): () => void {
    if (signal.aborted) {
      tell({ error: signal.reason })
      return () => {}
    }
    const call = this.#channel.start(path, bytes, tell)
    const stopListening = whenAborted(signal, () => {
      call.cancel()
      tell({ error: signal.reason })
    })
    return () => {
      stopListening()
      call.cancel()
    }
  }
}
