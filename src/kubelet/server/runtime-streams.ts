import { KubeletApiError } from './api-request.js'
import { ProtocolUnsupportedError, type RuntimeStream, type StreamOptions } from './runtime-stream.js'
import { spdyStream } from './spdy-stream.js'
import { webSocketStream } from './web-socket-stream.js'

export interface RuntimeStreamRequest {
  /** Asks the runtime for an address, which is good for one attempt. */
  readonly address: () => Promise<string>
  readonly options: StreamOptions
  readonly signal: AbortSignal
}

type Open = (url: string, question: RuntimeStreamRequest) => Promise<RuntimeStream>

/** The best first: all of them but the last can tell a command that its input is over. */
const protocols: readonly Open[] = [
  (url) => webSocketStream(url, 'v5'),
  (url, { options, signal }) => spdyStream(url, options, signal),
  (url) => webSocketStream(url, 'v4'),
]

/** Opens ways into containers in the best protocol that the runtime speaks, which is found out once. */
export class RuntimeStreams {
  #known: Open | undefined

  async open(question: RuntimeStreamRequest): Promise<RuntimeStream> {
    let failure: Error | undefined
    for (const open of this.#known ? [this.#known] : protocols) {
      try {
        const stream = await open(await question.address(), question)
        this.#known = open
        return stream
      } catch (error) {
        if (!(error instanceof ProtocolUnsupportedError)) throw error
        failure = error
      }
    }
    this.#known = undefined // it may have become another one
    throw new KubeletApiError(500, `unable to upgrade connection: ${failure?.message}`)
  }
}
