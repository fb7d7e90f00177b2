import type { Buffer } from 'node:buffer'
import { type ChannelOptions, Client, connectivityState, credentials, Metadata, status } from '@grpc/grpc-js'
import { CriError } from './cri-error.js'

/** A message, or the end: without an error if all went well. */
export type CallEvent = { readonly message: Buffer } | { readonly error: Error | undefined }

export interface StartedCall {
  /** After this nothing more is told. */
  cancel(): void
}

const settings: ChannelOptions = {
  'grpc.max_receive_message_length': -1, // a list of all containers is as long as it is
  'grpc.use_local_subchannel_pool': 1,
  'grpc.enable_http_proxy': 0,
  'grpc.service_config_disable_resolution': 1,
}

const noMetadata = new Metadata()

/** One connection to a socket on this machine, made when it is needed and made anew when it broke. */
export class Channel {
  readonly #address: string
  #client: Client | undefined
  #closed = false
  readonly #underWay = new Set<() => void>()

  constructor(endpoint: string) {
    this.#address = socketAddress(endpoint)
  }

  start(path: string, request: Buffer, tell: (outcome: CallEvent) => void): StartedCall {
    let ended = false
    const end = (error: Error | undefined) => {
      if (ended) return
      ended = true
      this.#underWay.delete(giveUp)
      tell({ error })
    }
    const call = this.#connected().getChannel().createCall(path, Number.POSITIVE_INFINITY, null, null, null)
    const cancel = () => {
      ended = true
      this.#underWay.delete(giveUp)
      call.cancelWithStatus(status.CANCELLED, 'context canceled')
    }
    const giveUp = () => {
      end(new CriError('Canceled', 'the connection to the runtime was closed'))
      cancel()
    }
    this.#underWay.add(giveUp)
    call.start(noMetadata, {
      onReceiveMetadata() {},
      onReceiveMessage(message: Buffer) {
        if (ended) return
        understood(() => tell({ message }), end)
        call.startRead()
      },
      onReceiveStatus: (ending) => end(ending.code === status.OK ? undefined : CriError.fromGrpc(ending)),
    })
    call.startRead()
    call.sendMessageWithContext({}, request)
    call.halfClose()
    return { cancel }
  }

  close(): void {
    this.#closed = true
    for (const giveUp of [...this.#underWay]) giveUp()
    this.#client?.close()
  }

  /**
   * gRPC waits ever longer between attempts to connect, and fails all calls meanwhile. On a socket of this machine an attempt
   * costs nothing, so each call makes one of its own, and finds a runtime that is back at once.
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

/** Whoever is told a message decodes it, and what cannot be decoded ends the call instead of the process. */
function understood(tell: () => void, end: (error: Error) => void): void {
  try {
    tell()
  } catch (error) {
    end(new CriError('Internal', `the answer cannot be understood: ${(error as Error).message}`))
  }
}

/** A path alone means a socket too, as it does for the kubelet. */
function socketAddress(endpoint: string): string {
  const path = endpoint.startsWith('unix:') ? endpoint.slice('unix:'.length).replace(/^\/\//, '') : endpoint
  if (!path.startsWith('/'))
    throw new TypeError(`a container runtime is reached by unix:///path/of/its/socket, and not by ${endpoint}`)
  return `unix:${path}`
}
