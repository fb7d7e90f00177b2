import type { IncomingMessage } from 'node:http'
import { createWebSocketStream } from 'ws'
import { ApiError } from '../../api/errors.js'
import { SpdyConnection } from '../../wire/spdy-connection.js'
import { errorMessage } from '../command-errors.js'
import { clientIdentity, openWebSocket, readUpgradeRejection } from '../exec/web-socket.js'
import type { Factory } from '../factory/factory.js'

const protocol = 'portforward.k8s.io'

/**
 * The way to the ports of a pod: streams of SPDY, within a WebSocket where the server knows that, since more of what stands in between
 * lets those through; as they are where it does not.
 */
export async function openPodTunnel(factory: Factory, path: string): Promise<SpdyConnection> {
  try {
    const socket = await openWebSocket(factory, { path, protocol: `SPDY/3.1+${protocol}` })
    const stream = createWebSocketStream(socket)
    socket.resume()
    return new SpdyConnection(stream)
  } catch {
    return await openSpdy(factory, path).catch((error: unknown) => {
      throw new Error(`error upgrading connection: ${errorMessage(error)}`, { cause: error })
    })
  }
}

async function openSpdy(factory: Factory, path: string): Promise<SpdyConnection> {
  const { connections } = await factory.dispatching()
  const { headers, certificate } = await clientIdentity(factory)
  const own = { Connection: 'Upgrade', Upgrade: 'SPDY/3.1', 'X-Stream-Protocol-Version': protocol, 'Content-Length': 0 }
  const request = connections.open(path, { method: 'POST', headers: { ...headers, ...own } }, certificate)
  return new Promise((resolve, reject) => {
    request.once('upgrade', (_, socket, head) => resolve(new SpdyConnection(socket, head)))
    request.once('response', (response) => void upgradeError(response).then(reject, reject))
    request.once('error', reject)
    request.end()
  })
}

async function upgradeError(response: IncomingMessage): Promise<Error> {
  const { status, text } = await readUpgradeRejection(response)
  return status ? new ApiError(status) : new Error(`unable to upgrade connection: ${text.trim()}`)
}
