import WebSocket from 'ws'
import { ApiError } from '../../api/errors.js'
import type { Status } from '../../api/meta/v1/status.js'
import { serverResponse } from '../../api/server-response.js'
import { impersonationHeaders, impersonationOf } from '../../client/credentials/impersonation.js'
import { parseStatus } from '../../client/https/response-reader.js'
import { HttpResponse } from '../../wire/http/http-response.js'
import type { Factory } from '../factory/factory.js'
import { type Query, queryText } from '../factory/request.js'
import { unreachable } from '../factory/unreachable-error.js'

interface WebSocketTarget {
  /** `/api/v1/namespaces/default/pods/web/exec` */
  readonly path: string
  readonly query?: Query
  /** The subprotocol. */
  readonly protocol: string
}

/** Opens a WebSocket. It is paused, because the server may send at once. Throws an `ApiError` if the server rejects it. */
export async function openWebSocket(factory: Factory, target: WebSocketTarget): Promise<WebSocket> {
  const { server } = await factory.connection()
  const { connections } = (await factory.transport()).connection
  const { headers, certificate } = await clientIdentity(factory)
  const url = `${server.replace(/^http/, 'ws')}${target.path}${queryText(target.query ?? {})}`
  const name = plainName(target.protocol)
  const socket = new WebSocket(url, [name], {
    headers,
    agent: connections.agent(certificate),
    finishRequest: (request) => request.setHeader('Sec-WebSocket-Protocol', target.protocol).end(),
    perMessageDeflate: false,
  })
  socket.once('upgrade', ({ headers: answered }) => {
    if (answered['sec-websocket-protocol'] === target.protocol) answered['sec-websocket-protocol'] = name
  })
  return new Promise((resolve, reject) => {
    socket.once('open', () => {
      socket.pause()
      resolve(socket)
    })
    socket.once(
      'unexpected-response',
      (_, message) => void errorFromResponse(new HttpResponse(message)).then(reject, reject),
    )
    socket.once('error', (error) => reject(unreachable(error, server)))
  })
}

/** The headers and the certificate that authenticate the client. */
export async function clientIdentity(factory: Factory) {
  const { user } = await factory.connection()
  const { credentials } = (await factory.transport()).connection
  const { authorization, certificate } = await credentials.current()
  const impersonation = impersonationOf(user)
  const headers = {
    ...(authorization !== undefined && { authorization }),
    ...(impersonation && impersonationHeaders(impersonation)),
  } as Record<string, string>
  return { headers, certificate }
}

/** Replaces the slash in a protocol name of Kubernetes: `ws` rejects it. */
function plainName(protocol: string): string {
  return protocol.replaceAll('/', '-')
}

interface UpgradeRejection {
  readonly status: Status | undefined
  /** The body of the response, if it is not a `Status`. */
  readonly text: string
}

/** Reads why a server or proxy did not upgrade the connection. */
export async function readUpgradeRejection(response: HttpResponse): Promise<UpgradeRejection> {
  const text = await response.text()
  return { status: parseStatus(text), text }
}

async function errorFromResponse(response: HttpResponse): Promise<ApiError> {
  const { status, text } = await readUpgradeRejection(response)
  return status ? new ApiError(status) : serverResponse({ code: response.status, method: 'POST', serverMessage: text })
}
