import { once } from 'node:events'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { connect, type Socket } from 'node:net'
import type { ConnectionOptions } from 'node:tls'

export interface TunnelTarget {
  readonly host: string
  readonly port: number
}

/** Opens a connection through a proxy. The certificate of the proxy is verified like that of the server. No error contains its password. */
export function openTunnel(proxy: URL, target: TunnelTarget, trust: Trust): Promise<Socket> {
  return proxy.protocol === 'socks5:' ? openSocks(proxy, target) : openConnect(proxy, target, trust)
}

export type Trust = Pick<ConnectionOptions, 'ca' | 'rejectUnauthorized'>

export function basicAuthorization(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

/** Returns the `Proxy-Authorization` header; undefined if the URL has no user. */
export function proxyAuthorization({ username, password }: URL): string | undefined {
  return username === '' ? undefined : basicAuthorization(decodeURIComponent(username), decodeURIComponent(password))
}

function openConnect(proxy: URL, { host, port }: TunnelTarget, trust: Trust): Promise<Socket> {
  const path = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const authorization = proxyAuthorization(proxy)
  const headers = { host: path, ...(authorization && { 'proxy-authorization': authorization }) }
  const options = { method: 'CONNECT', path, headers, agent: false } as const
  const isSecure = proxy.protocol === 'https:'
  const sent = isSecure ? requestHttps(proxy.origin, { ...options, ...trust }) : requestHttp(proxy.origin, options)
  return new Promise((resolve, reject) => {
    sent.on('error', (error) => reject(new Error(`proxyconnect tcp: ${error.message}`, { cause: error })))
    sent.on('connect', ({ statusCode, statusMessage }, socket: Socket) => {
      if (statusCode === 200) return resolve(socket)
      socket.destroy()
      return reject(new Error(`the proxy refused: ${statusCode} ${statusMessage}`))
    })
    sent.end()
  })
}

const version = 5
const methods = { none: 0, password: 2 }

/** SOCKS 5, RFC 1928 and RFC 1929. The proxy resolves names. */
async function openSocks(proxy: URL, target: TunnelTarget): Promise<Socket> {
  const socket = connect({ host: bare(proxy.hostname), port: Number(proxy.port || 1080) })
  try {
    await once(socket, 'connect')
    const method = proxy.username === '' ? methods.none : methods.password
    socket.write(Buffer.from([version, 1, method]))
    const [, chosen] = await take(socket, 2)
    if (chosen !== method) throw new Error('it does not take this kind of user')
    if (method === methods.password) await authenticate(socket, proxy)
    await requestConnection(socket, target)
    return socket
  } catch (error) {
    socket.destroy()
    throw new Error(`socks connect: ${(error as Error).message}`, { cause: error })
  }
}

async function authenticate(socket: Socket, { username, password }: URL): Promise<void> {
  const [name, secret] = [username, password].map((text) => Buffer.from(decodeURIComponent(text)))
  socket.write(Buffer.concat([Buffer.from([1, name!.length]), name!, Buffer.from([secret!.length]), secret!]))
  const [, status] = await take(socket, 2)
  if (status !== 0) throw new Error('it does not know this user')
}

async function requestConnection(socket: Socket, { host, port }: TunnelTarget): Promise<void> {
  const name = Buffer.from(host)
  const head = Buffer.from([version, 1, 0, 3, name.length])
  socket.write(Buffer.concat([head, name, Buffer.from([port >> 8, port & 0xff])]))
  const [, status, , kind, first] = await take(socket, 5)
  if (status !== 0) throw new Error(`it cannot reach the server (${status})`)
  // Skips the address that the proxy used: the rest of 4 or 16 bytes or a name, and the port.
  await take(socket, kind === 1 ? 5 : kind === 4 ? 17 : first! + 2)
}

async function take(socket: Socket, length: number): Promise<Buffer> {
  for (;;) {
    const bytes = socket.read(length) as Buffer | null
    if (bytes?.length === length) return bytes
    if (socket.readableEnded || socket.destroyed) throw new Error('it hung up')
    await Promise.race([once(socket, 'readable'), once(socket, 'end')])
  }
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}
