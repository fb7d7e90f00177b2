import WebSocket, { createWebSocketStream } from 'ws'
import { ApiError } from '../../api/errors.js'
import type { Status } from '../../api/meta/v1/status.js'
import { ExitCodeError } from '../command-errors.js'
import type { TerminalSize, WriteOutput } from '../environment.js'
import type { Factory } from '../factory/factory.js'
import type { Query } from '../factory/request.js'
import { openWebSocket } from './web-socket.js'

/** The protocol for streams over one WebSocket: the first byte of each message is the stream. */
const protocol = 'v5.channel.k8s.io'
const stdin = 0
const stdout = 1
const stderr = 2
const failure = 3
const resize = 4
const close = 255

/** Larger chunks of input are split into messages of this size. */
const longestMessage = 1 << 17

export interface ChannelSession {
  /** `/api/v1/namespaces/default/pods/web/exec` */
  readonly path: string
  readonly query: Query
  /** The input of the command; undefined for none. */
  readonly input: AsyncIterable<Uint8Array> | undefined
  /** Whether the command has a terminal. */
  readonly isTerminal: boolean
  /** Send a wrong terminal size first, so that the program redraws its screen. */
  readonly isRedrawn?: boolean
  /** The output, if not standard output. */
  readonly out?: WriteOutput
  readonly err?: WriteOutput
}

/** The query parameters that choose the streams. A terminal has one output stream. */
export function streamQuery(session: Pick<ChannelSession, 'input' | 'isTerminal'>): Query {
  const { input, isTerminal } = session
  return {
    stdin: input !== undefined || undefined,
    stdout: true,
    stderr: isTerminal ? undefined : true,
    tty: isTerminal || undefined,
  }
}

/** Connects the streams to a container until the command ends. Throws an `ExitCodeError` if the command fails. */
export async function joinStreams(factory: Factory, session: ChannelSession): Promise<void> {
  const code = await sessionExitCode(factory, session)
  if (code === 0) return
  await factory.environment.err(`command terminated with exit code ${code}\n`)
  throw new ExitCodeError(code)
}

/** Does the same and returns the exit code. Throws other errors. */
export async function sessionExitCode(factory: Factory, session: ChannelSession): Promise<number> {
  const status = await exchange(factory, session)
  if (status?.status !== 'Failure') return 0
  const code = status.details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message
  if (status.reason !== 'NonZeroExitCode' || code === undefined) throw new ApiError(status)
  return Number(code)
}

async function exchange(factory: Factory, session: ChannelSession): Promise<Status | undefined> {
  const { path, query, input, isTerminal } = session
  const socket = await openWebSocket(factory, { path, query, protocol })
  const { terminal } = factory.environment
  const leave = isTerminal ? terminal?.enter(sizeSender(socket, session.isRedrawn ?? false)) : undefined
  try {
    const { out, err } = factory.environment
    const received = receive(socket, { out: session.out ?? out, err: session.err ?? err })
    return await Promise.race([received, ...(input ? [sendingFails(socket, input)] : [])])
  } finally {
    leave?.()
    socket.terminate()
  }
}

/** Rejects if sending fails. Never resolves, because the input may end long before the command. */
function sendingFails(socket: WebSocket, input: AsyncIterable<Uint8Array>): Promise<never> {
  return new Promise((_, reject) => {
    sendInput(socket, input).catch(reject)
  })
}

/** Sends the input, then closes the input stream. */
async function sendInput(socket: WebSocket, input: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of input)
    for (let at = 0; at < chunk.length; at += longestMessage)
      if (!(await send(socket, stdin, chunk.subarray(at, at + longestMessage)))) return
  await send(socket, close, Buffer.of(stdin))
}

/** Resolves when more can be sent; with false if the connection is closed. */
function send(socket: WebSocket, channel: number, bytes: Uint8Array): Promise<boolean> {
  if (socket.readyState !== WebSocket.OPEN) return Promise.resolve(false)
  return new Promise((resolve) => {
    socket.send(Buffer.concat([Buffer.of(channel), bytes]), (error) => resolve(!error))
  })
}

function sizeSender(socket: WebSocket, isRedrawn: boolean): (size: TerminalSize) => void {
  const sendSize = ({ columns, rows }: TerminalSize) =>
    void send(socket, resize, Buffer.from(JSON.stringify({ Width: columns, Height: rows })))
  let isFirst = isRedrawn
  return (size) => {
    if (isFirst) sendSize({ columns: size.columns + 1, rows: size.rows + 1 })
    isFirst = false
    sendSize(size)
  }
}

/** Receives messages as fast as the output is written. */
async function receive(
  socket: WebSocket,
  { out, err }: { out: WriteOutput; err: WriteOutput },
): Promise<Status | undefined> {
  let status: Status | undefined
  const messages = createWebSocketStream(socket, { readableObjectMode: true })
  socket.resume()
  for await (const data of messages as AsyncIterable<Buffer>) {
    const content = data.subarray(1)
    if (data[0] === stdout) await out(content)
    if (data[0] === stderr) await err(content)
    if (data[0] === failure && content.length > 0) status = JSON.parse(content.toString()) as Status
  }
  return status
}
