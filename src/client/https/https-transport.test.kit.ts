import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Clock } from '../../base/clock.js'
import { Client } from '../client.js'
import { type HttpsOptions, httpsTransport } from './https-transport.js'

interface TestContext {
  after(run: () => void): void
}

export interface Scene {
  readonly client: Client
  /** `GET /path` of every request that came. */
  readonly asked: readonly string[]
  /** How many connections were opened. */
  readonly connections: () => number
}

type Answer = (response: ServerResponse, request: IncomingMessage, count: number) => void

/** A plain server that answers as a test wants it to, and a client of it. `count` is the number of the request, from 1. */
export async function scene(
  context: TestContext,
  answer: Answer,
  options: Partial<HttpsOptions> & { readonly clock?: Clock } = {},
): Promise<Scene> {
  const asked: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    answer(response, request, asked.length)
  })
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = new Client(httpsTransport({ server: url, ...options }), options.clock ? { clock: options.clock } : {})
  context.after(() => {
    client.close()
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { client, asked, connections: () => sockets.size }
}

export function object(name: string): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } })
}
