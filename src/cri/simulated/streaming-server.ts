import { Buffer } from 'node:buffer'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Environment } from '../../base/environment.js'

/** The channels of Kubernetes' remote command protocol. */
const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4 } as const
/** Newest first. v5 adds to v4 a message that closes standard input. */
const protocols = ['v5.channel.k8s.io', 'v4.channel.k8s.io', 'channel.k8s.io']

/** One open stream of an exec or attach. */
export interface RemoteStream {
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal
  send(channel: 'stdout' | 'stderr', bytes: Uint8Array): void
  /** Sends the exit code and closes the stream. */
  end(exitCode: number): void
}

type Serve = (socket: WebSocket, query: URLSearchParams) => void

/**
 * Serves the streams of a simulated runtime over WebSocket on a loopback address. It starts on the first request for a stream, so that
 * thousands of unused nodes have no server.
 */
export class StreamingServer {
  readonly #environment: Environment
  readonly #offers = new Map<string, Serve>()
  #server: Promise<Server> | undefined
  readonly #sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => protocols.find((protocol) => offered.has(protocol)) ?? false,
  })

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** Returns a URL that serves one connection. */
  offer(kind: 'exec' | 'attach', serve: (stream: RemoteStream) => Promise<void>): Promise<string> {
    return this.#offer(kind, (socket) => {
      const disconnected = new AbortController()
      socket.on('close', () => disconnected.abort())
      const stream: RemoteStream = {
        signal: disconnected.signal,
        send(channel, bytes) {
          if (bytes.length > 0) socket.send(framed(channels[channel], bytes))
        },
        end(exitCode) {
          socket.send(framed(channels.error, Buffer.from(JSON.stringify(statusOf(exitCode)))))
          socket.close()
        },
      }
      serve(stream).catch((error: Error) => {
        if (!disconnected.signal.aborted) socket.close(1011, error.message.slice(0, 120))
      })
    })
  }

  /** Each port in the query has two channels, for data and for errors. Each channel starts with the port number. */
  offerPorts(responseOn: (port: number) => string | undefined): Promise<string> {
    return this.#offer('portforward', (socket, query) => {
      const ports = query.getAll('port').map(Number)
      for (const [index, port] of ports.entries())
        for (const channel of [2 * index, 2 * index + 1]) socket.send(framed(channel, portNumber(port)))
      socket.on('message', (data: Buffer) => {
        const channel = data[0] ?? 0
        const port = ports[channel >> 1]
        const response = port === undefined ? undefined : responseOn(port)
        if (response !== undefined) socket.send(framed(channel, Buffer.from(response)))
        else socket.send(framed(channel | 1, Buffer.from(`failed to connect to localhost:${port}: connection refused`)))
      })
    })
  }

  async close(): Promise<void> {
    const server = await this.#server
    for (const socket of this.#sockets.clients) socket.terminate()
    await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()))
  }

  async #offer(kind: string, serve: Serve): Promise<string> {
    this.#server ??= this.#listen()
    const token = Buffer.from(this.#environment.random.bytes(8)).toString('hex')
    this.#offers.set(token, serve)
    const { port } = (await this.#server).address() as AddressInfo
    return `http://127.0.0.1:${port}/${kind}/${token}`
  }

  async #listen(): Promise<Server> {
    const server = createServer((_, response) =>
      response.writeHead(426).end('This endpoint accepts only WebSocket connections.\n'),
    )
    server.on('upgrade', (request, socket: Duplex, head) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
      const token = pathname.split('/').at(-1) ?? ''
      const serve = this.#offers.get(token)
      this.#offers.delete(token)
      if (!serve) return socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n')
      return this.#sockets.handleUpgrade(request, socket, head, (webSocket) => serve(webSocket, searchParams))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    server.unref()
    return server
  }
}

function framed(channel: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([Uint8Array.of(channel), bytes])
}

function portNumber(port: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(port)
  return bytes
}

/** Returns the exit code as an API status. */
function statusOf(exitCode: number): object {
  if (exitCode === 0) return { metadata: {}, status: 'Success' }
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: exit status ${exitCode}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: `${exitCode}` }] },
  }
}
