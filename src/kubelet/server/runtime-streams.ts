import { KubeletServerError } from './api-request.js'
import { ProtocolUnsupportedError, type RuntimeStream, type StreamOptions } from './runtime-stream.js'
import { spdyStream } from './spdy-stream.js'
import { webSocketStream } from './web-socket-stream.js'

export interface RuntimeStreamRequest {
  /** Requests a URL from the runtime. Each URL is valid for one attempt. */
  readonly address: () => Promise<string>
  readonly options: StreamOptions
  readonly signal: AbortSignal
}

type Open = (url: string, question: RuntimeStreamRequest) => Promise<RuntimeStream>

/** Best first: all but the last can close the input of a command. */
const protocols: readonly Open[] = [
  (url) => webSocketStream(url, 'v5'),
  (url, { options, signal }) => spdyStream(url, options, signal),
  (url) => webSocketStream(url, 'v4'),
]

/** Connects to containers with the best protocol that the runtime supports. Detects it once. */
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
    this.#known = undefined // the runtime may have changed
    throw new KubeletServerError(500, `unable to upgrade connection: ${failure?.message}`)
  }
}
