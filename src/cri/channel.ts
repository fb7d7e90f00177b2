import type { Buffer } from 'node:buffer'
import { type ChannelOptions, Client, connectivityState, credentials, Metadata, status } from '@grpc/grpc-js'
import { CriError } from './cri-error.js'

/** One response message, or the end of the call, with an error if it failed. */
export type CallEvent = { readonly message: Buffer } | { readonly error: Error | undefined }

export interface StartedCall {
  /** After this, `listener` is not called again. */
  cancel(): void
}

const settings: ChannelOptions = {
  'grpc.max_receive_message_length': -1, // a list of all containers can be of any length
  'grpc.use_local_subchannel_pool': 1,
  'grpc.enable_http_proxy': 0,
  'grpc.service_config_disable_resolution': 1,
}

const noMetadata = new Metadata()

/** A gRPC connection to a local socket. Connects on the first call, and reconnects after the connection breaks. */
export class Channel {
  readonly #address: string
  #client: Client | undefined
  #closed = false
  readonly #activeCalls = new Set<() => void>()

  constructor(endpoint: string) {
    this.#address = socketAddress(endpoint)
  }

  start(path: string, request: Buffer, listener: (event: CallEvent) => void): StartedCall {
    let ended = false
    const end = (error: Error | undefined) => {
      if (ended) return
      ended = true
      this.#activeCalls.delete(abandon)
      listener({ error })
    }
    const call = this.#connected().getChannel().createCall(path, Number.POSITIVE_INFINITY, null, null, null)
    const cancel = () => {
      ended = true
      this.#activeCalls.delete(abandon)
      call.cancelWithStatus(status.CANCELLED, 'context canceled')
    }
    const abandon = () => {
      end(new CriError('Canceled', 'the connection to the runtime was closed'))
      cancel()
    }
    this.#activeCalls.add(abandon)
    call.start(noMetadata, {
      onReceiveMetadata() {},
      onReceiveMessage(message: Buffer) {
        if (ended) return
        deliver(() => listener({ message }), end)
        call.startRead()
      },
      onReceiveStatus: (result) => end(result.code === status.OK ? undefined : CriError.fromGrpc(result)),
    })
    call.startRead()
    call.sendMessageWithContext({}, request)
    call.halfClose()
    return { cancel }
  }

  close(): void {
    this.#closed = true
    for (const abandon of [...this.#activeCalls]) abandon()
    this.#client?.close()
  }

  /**
   * gRPC backs off between connection attempts and fails all calls in between. An attempt on a local socket is cheap, so each call
   * starts a new one after a failure. So the first call after a restart of the runtime succeeds.
   */
  #connected(): Client {
    if (this.#closed) throw new CriError('Canceled', 'the connection to the runtime was closed')
    const state = this.#client?.getChannel().getConnectivityState(false)
    if (!this.#client || state === connectivityState.TRANSIENT_FAILURE || state === connectivityState.SHUTDOWN) {
      this.#client?.close()
      this.#client = new Client(this.#address, credentials.createInsecure(), settings)
    }
    return this.#client
  }
}

/** The listener decodes the message. A message that it cannot decode fails the call and not the process. */
function deliver(notify: () => void, end: (error: Error) => void): void {
  try {
    notify()
  } catch (error) {
    end(new CriError('Internal', `the response cannot be decoded: ${(error as Error).message}`))
  }
}

/** Accepts `unix:///path` and a plain path, as the kubelet does. */
function socketAddress(endpoint: string): string {
  const path = endpoint.startsWith('unix:') ? endpoint.slice('unix:'.length).replace(/^\/\//, '') : endpoint
  if (!path.startsWith('/'))
    throw new TypeError(
      `the endpoint of a container runtime must have the form unix:///path/of/its/socket: ${endpoint}`,
    )
  return `unix:${path}`
}
