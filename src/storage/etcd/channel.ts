import { Buffer } from 'node:buffer'
import { type ChannelOptions, Client, connectivityState, Metadata, type ServiceError, status } from '@grpc/grpc-js'
import type { Clock } from '../../base/clock.js'
import { callErrorFrom, FailedCallError } from './call-errors.js'
import { versionMethod } from './messages/maintenance.js'
import type { EtcdMethod } from './messages/method.js'
import type { EtcdEndpoint } from './options.js'

/** Makes a member without a leader reject requests at once, instead of waiting for a leader that may never come. */
const requireLeader = new Metadata()
requireLeader.set('hasleader', 'true')

const settings: ChannelOptions = {
  'grpc.max_receive_message_length': -1, // requests limit the size of responses
  'grpc.use_local_subchannel_pool': 1, // each store has its own connections, and closes them
  'grpc.enable_http_proxy': 0,
  'grpc.service_config_disable_resolution': 1,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1000,
  'grpc-node.flow_control_window': 1024 * 1024,
}

export interface EtcdStreamHandlers<Response> {
  readonly onMessage: (response: Response) => void
  /** Called once, after the last message; never after `cancel`. */
  readonly onEnd: (reason: Error) => void
}

export interface EtcdStream<Request> {
  send(request: Request): void
  cancel(): void
}

export interface EtcdCall<Response> {
  readonly response: Promise<Response>
  /** The response then rejects with a `FailedCallError` of the given reason, unless it has already arrived. */
  cancel(reason: string): void
}

const nothing = Buffer.alloc(0)

/** A response that cannot be decoded counts as none; the effect of the request is then unknown. */
async function decoded<Response>(decode: (message: Buffer) => Response, message: Buffer): Promise<Response> {
  try {
    return decode(message)
  } catch (error) {
    throw new FailedCallError(`invalid response: ${(error as Error).message}`, true)
  }
}

/** One connection to one member, opened when it is first needed and reopened whenever it breaks. Does not retry. */
export class EtcdChannel {
  readonly #client: Client
  readonly #clock: Clock

  constructor({ address, credentials, serverName }: EtcdEndpoint, clock: Clock) {
    const naming = serverName && { 'grpc.ssl_target_name_override': serverName }
    this.#client = new Client(address, credentials, { ...settings, ...naming })
    this.#clock = clock
  }

  /** Connects if necessary. Rejects if an attempt fails, or after `limit` milliseconds. Nothing was sent then. */
  async connect(limit: number): Promise<void> {
    const until = this.#clock.monotonic() + limit
    for (;;) {
      const state = this.#client.getChannel().getConnectivityState(true)
      if (state === connectivityState.READY) return
      if (state === connectivityState.SHUTDOWN) throw new FailedCallError('the connection was given up', false)
      // A call over a broken connection fails at once with the reason, and is not sent.
      if (state === connectivityState.TRANSIENT_FAILURE) throw new FailedCallError(await this.#whyBroken(until), false)
      await this.#change(state, until)
    }
  }

  get connected(): boolean {
    return this.#client.getChannel().getConnectivityState(false) === connectivityState.READY
  }

  get connecting(): boolean {
    return this.#client.getChannel().getConnectivityState(false) === connectivityState.CONNECTING
  }

  /** Uses the channel directly: gRPC's unary client takes half as much time again, for features that are not needed here. */
  call<Request, Response>(
    { path, encode, decode }: EtcdMethod<Request, Response>,
    request: Request,
  ): EtcdCall<Response> {
    const call = this.#client.getChannel().createCall(path, Infinity, null, null, null)
    let cancelled: string | undefined
    const response = new Promise<Response>((resolve, reject) => {
      let received: Buffer = nothing
      call.start(requireLeader, {
        onReceiveMetadata() {},
        onReceiveMessage(message: Buffer) {
          received = message
        },
        onReceiveStatus(ended) {
          if (cancelled !== undefined) reject(new FailedCallError(cancelled, true))
          else if (ended.code !== status.OK) reject(callErrorFrom(ended))
          else resolve(decoded(decode, received))
        },
      })
      call.startRead()
      call.sendMessageWithContext({}, encode(request))
      call.halfClose()
    })
    return {
      response,
      cancel(reason) {
        cancelled ??= reason
        call.cancelWithStatus(status.CANCELLED, reason)
      },
    }
  }

  stream<Request, Response>(
    method: EtcdMethod<Request, Response>,
    { onMessage, onEnd }: EtcdStreamHandlers<Response>,
  ): EtcdStream<Request> {
    const call = this.#client.makeBidiStreamRequest(method.path, method.encode, method.decode, requireLeader)
    let ended = false
    const end = (reason: Error) => {
      if (ended) return
      ended = true
      onEnd(reason)
    }
    call.on('data', (message: Response) => {
      if (!ended) onMessage(message)
    })
    call.on('error', (error: ServiceError) => end(callErrorFrom(error)))
    call.on('end', () => end(new FailedCallError('the member ended the stream', true)))
    return {
      send: (request) => call.write(request),
      cancel() {
        ended = true
        call.cancel()
      },
    }
  }

  /** Running calls still get their responses. */
  close(): void {
    this.#client.close()
  }

  async #whyBroken(until: number): Promise<string> {
    const { response, cancel } = this.call(versionMethod, undefined)
    const timer = this.#clock.timer(until - this.#clock.monotonic(), () => cancel('the connection broke'))
    return response
      .then(() => 'the connection broke')
      .catch((error: Error) => error.message)
      .finally(() => timer.cancel())
  }

  #change(state: connectivityState, until: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = this.#clock.timer(until - this.#clock.monotonic(), () =>
        reject(new FailedCallError('no connection in time', false)),
      )
      this.#client.getChannel().watchConnectivityState(state, Infinity, (error) => {
        timer.cancel()
        if (error) reject(new FailedCallError(error.message, false))
        else resolve()
      })
    })
  }
}
