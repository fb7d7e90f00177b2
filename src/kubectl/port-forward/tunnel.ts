import { createWebSocketStream } from 'ws'
import { ApiError } from '../../api/errors.js'
import type { HttpResponse } from '../../wire/http/http-response.js'
import { SpdyConnection } from '../../wire/spdy-connection.js'
import { errorMessage } from '../command-errors.js'
import { clientIdentity, openWebSocket, readUpgradeRejection } from '../exec/web-socket.js'
import type { Factory } from '../factory/factory.js'

const protocol = 'portforward.k8s.io'

/**
 * Opens SPDY streams to the ports of a pod, inside a WebSocket if the server supports it, because more proxies allow those; otherwise
 * directly.
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
  const { connections } = (await factory.transport()).connection
  const { headers, certificate } = await clientIdentity(factory)
  const own = { Connection: 'Upgrade', Upgrade: 'SPDY/3.1', 'X-Stream-Protocol-Version': protocol, 'Content-Length': 0 }
  const request = { method: 'POST', headers: { ...headers, ...own }, allowUpgrade: true }
  const response = await connections.send(path, request, certificate)
  if (!response.upgraded) throw await upgradeError(response)
  const { socket, head } = response.upgraded
  return new SpdyConnection(socket, head)
}

async function upgradeError(response: HttpResponse): Promise<Error> {
  const { status, text } = await readUpgradeRejection(response)
  return status ? new ApiError(status) : new Error(`unable to upgrade connection: ${text.trim()}`)
}
