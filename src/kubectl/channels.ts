import type { IncomingMessage } from 'node:http'
import WebSocket from 'ws'
import { ApiError } from '../api/errors.js'
import type { Status } from '../api/meta/v1/status.js'
import { serverResponse } from '../api/server-response.js'
import { impersonationHeaders, impersonationOf } from '../client/impersonation.js'
import { trustOf } from '../client/trust.js'
import type { Factory } from './factory/factory.js'
import { queryText } from './factory/query-text.js'
import type { Query } from './factory/request.js'
import { bodyOf } from './factory/rest.js'
import { unreachable } from './factory/unreachable-error.js'
import { ExitCode } from './failure.js'

/** Streams over one WebSocket: the first byte of each message says to which it belongs. */
const protocol = 'v5.channel.k8s.io'
const stdin = 0
const stdout = 1
const stderr = 2
const failure = 3
const resize = 4
const close = 255

export interface ChannelSession {
  /** `/api/v1/namespaces/default/pods/web/exec` */
  readonly path: string
  readonly query: Query
  /** Whether what is typed here is sent there. */
  readonly hasInput: boolean
  /** Whether the other side is a terminal. */
  readonly isTerminal: boolean
}

/** Joins standard streams with those of a container, until that ends. Throws an `ExitCode` where it fails. */
export async function joinStreams(factory: Factory, session: ChannelSession): Promise<void> {
  const socket = await open(factory, session)
  const { terminal } = factory.surroundings
  const leave = session.isTerminal ? terminal?.enter((size) => sendSize(socket, size)) : undefined
  try {
    if (session.hasInput) void sendInput(socket, factory.surroundings.input)
    await receive(socket, factory)
  } finally {
    leave?.()
    socket.terminate()
  }
}

async function open(factory: Factory, { path, query }: ChannelSession): Promise<WebSocket> {
  const connection = await factory.connection()
  const { credentials } = await factory.dispatching()
  const { authorization, certificate } = await credentials.current()
  const { authority, insecure, serverName } = await trustOf(connection, factory.surroundings.machine)
  const impersonation = impersonationOf(connection.user)
  const socket = new WebSocket(`${connection.server.replace(/^http/, 'ws')}${path}${queryText(query)}`, [protocol], {
    headers: {
      ...(authorization !== undefined && { authorization }),
      ...(impersonation && impersonationHeaders(impersonation)),
    } as Record<string, string>,
    ...certificate,
    ...(authority !== undefined && { ca: authority }),
    rejectUnauthorized: !insecure,
    ...(serverName && { servername: serverName }),
  })
  return new Promise((resolve, reject) => {
    socket.once('open', () => {
      socket.pause() // until somebody listens: the other side may speak at once
      resolve(socket)
    })
    socket.once('unexpected-response', (_, message) => void refusal(message).then(reject, reject))
    socket.once('error', (error) => reject(unreachable(error, connection.server)))
  })
}

async function refusal(message: IncomingMessage): Promise<ApiError> {
  const text = (await bodyOf(message)).toString()
  const { statusCode: code = 0 } = message
  const status = text.startsWith('{') ? (JSON.parse(text) as Status) : undefined
  return status?.kind === 'Status'
    ? new ApiError(status)
    : serverResponse({ code, method: 'POST', serverMessage: text })
}

/** After the last of it the other side is told that there is no more. */
async function sendInput(socket: WebSocket, input: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of input) {
    if (socket.readyState !== WebSocket.OPEN) return
    socket.send(Buffer.concat([Buffer.of(stdin), chunk]))
  }
  if (socket.readyState === WebSocket.OPEN) socket.send(Buffer.of(close, stdin))
}

function sendSize(socket: WebSocket, size: { readonly columns: number; readonly rows: number }): void {
  const text = JSON.stringify({ Width: size.columns, Height: size.rows })
  if (socket.readyState === WebSocket.OPEN) socket.send(Buffer.concat([Buffer.of(resize), Buffer.from(text)]))
}

async function receive(socket: WebSocket, { surroundings: { out, err } }: Factory): Promise<void> {
  let written = Promise.resolve()
  const status = await new Promise<Status | undefined>((resolve, reject) => {
    let last: Status | undefined
    socket.on('message', (data: Buffer) => {
      const content = data.subarray(1)
      if (data[0] === stdout) written = written.then(() => out(content))
      if (data[0] === stderr) written = written.then(() => err(content))
      if (data[0] === failure && content.length > 0) last = JSON.parse(content.toString()) as Status
    })
    socket.on('close', () => resolve(last))
    socket.on('error', reject)
    socket.resume()
  })
  await written
  if (status?.status !== 'Failure') return
  const code = status.details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message
  if (status.reason !== 'NonZeroExitCode' || code === undefined) throw new ApiError(status)
  await err(`command terminated with exit code ${code}\n`)
  throw new ExitCode(Number(code))
}
