import type { IncomingMessage } from 'node:http'
import { PassThrough, pipeline } from 'node:stream'
import { whenAborted } from '../../base/abort.js'
import type { Clock } from '../../base/clock.js'
import { silentLogger } from '../../base/logging.js'
import type { ConnectionConfig } from '../../client/connection-config.js'
import type { Credential, CredentialSource } from '../../client/credentials/credential.js'
import { type Impersonation, impersonationHeaders, impersonationOf } from '../../client/credentials/impersonation.js'
import { userCredentials } from '../../client/credentials/user-credentials.js'
import type { HostAccess } from '../../client/host-access.js'
import { Connections } from '../../client/https/https-connections.js'
import { proxyFromVariables } from '../../client/https/proxy-url.js'
import { trustOf } from '../../client/https/server-trust.js'
import type { SentRequest } from './request.js'
import type { Dispatch } from './rest.js'

export interface DispatchParts {
  readonly machine: HostAccess
  readonly clock: Clock
  readonly userAgent: string
  /** Which command asks: the server's audit log has it. */
  readonly headers: Readonly<Record<string, string>>
}

export interface Dispatching {
  readonly dispatch: Dispatch
  /** What proves who one is, for connections that are no requests. */
  readonly credentials: CredentialSource
  readonly connections: Connections
  /** Opens a connection for a request that will soon be sent. Never fails. */
  begin(): Promise<void>
  close(): void
}

/** The way to the server of a connection. Nothing is sent yet. */
export async function dispatching(connection: ConnectionConfig, parts: DispatchParts): Promise<Dispatching> {
  const { machine, clock, userAgent } = parts
  const { server, cluster, user, timeout } = connection
  const proxy = cluster['proxy-url'] || proxyFromVariables(server, machine.variables)
  const connections = new Connections({ server, proxy, ...(await trustOf(connection, machine)) })
  const credentials = server.startsWith('https:')
    ? userCredentials(connection, { host: machine, environment: { clock, log: silentLogger } })
    : anonymous // on a plain connection everybody could read them
  const own = { 'User-Agent': userAgent, ...parts.headers, ...(!cluster['disable-compression'] && gzip) }
  const sender = new Sender(connections, own, impersonationOf(user), { clock, timeout })
  const dispatch: Dispatch = async (request) => {
    const credential = await credentials.current(request.signal)
    const message = await sender.send(request, credential)
    if (message.statusCode !== 401) return message
    await credentials.refused(credential, request.signal)
    const renewed = await credentials.current(request.signal)
    if (renewed === credential) return message
    message.resume()
    return sender.send(request, renewed)
  }
  const beginNow = async () => {
    if (user.exec || user['auth-provider']) return // who has to be asked for the certificate is asked once, and for a request
    const { certificate } = await credentials.current()
    connections.begin(certificate)
    await nextTurn()
  }
  // Whatever is wrong, such as a key that cannot be read, the request meets as well, and tells it.
  const begin = () => beginNow().catch(() => {})
  return { dispatch, credentials, connections, begin, close: () => connections.close() }
}

/** In which the first words go out to a server that is near. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve))
}

const gzip = { 'Accept-Encoding': 'gzip' }
const nobody: Credential = {}
const anonymous: CredentialSource = { current: async () => nobody, refused: async () => {} }

class Sender {
  readonly #connections: Connections
  readonly #headers: Readonly<Record<string, string | string[]>>
  readonly #limit: { readonly clock: Clock; readonly timeout: number | undefined }

  constructor(
    connections: Connections,
    headers: Readonly<Record<string, string>>,
    impersonation: Impersonation | undefined,
    limit: { readonly clock: Clock; readonly timeout: number | undefined },
  ) {
    this.#connections = connections
    this.#headers = { ...headers, ...(impersonation && impersonationHeaders(impersonation)) }
    this.#limit = limit
  }

  send({ method, target, headers, data, signal }: SentRequest, credential: Credential): Promise<IncomingMessage> {
    const { authorization } = credential
    const all = { ...headers, ...this.#headers, ...(authorization !== undefined && { authorization }) }
    const sent = this.#connections.open(target, { method, headers: all }, credential.certificate)
    const timer = this.#timer((error) => sent.destroy(error))
    const stopListening = whenAborted(signal, () => sent.destroy())
    sent.once('close', () => {
      timer?.cancel()
      stopListening()
    })
    return new Promise((resolve, reject) => {
      sent.on('response', (message) => unpacked(message).then(resolve, reject))
      sent.on('error', reject)
      sent.end(data)
    })
  }

  #timer(over: (error: Error) => void) {
    const { clock, timeout } = this.#limit
    const late = () => over(new Error('net/http: request canceled (Client.Timeout exceeded while awaiting headers)'))
    return timeout === undefined ? undefined : clock.timer(timeout, late)
  }
}

/** The same message with its content as it was before it was compressed. */
async function unpacked(message: IncomingMessage): Promise<IncomingMessage> {
  if (message.headers['content-encoding'] !== 'gzip') return message
  const { createGunzip } = await import('node:zlib')
  const plain = new PassThrough()
  pipeline(message, createGunzip(), plain, () => {}) // who reads the end of the pipeline is told of errors in any part of it
  const { statusCode, statusMessage, headers, rawHeaders } = message
  return Object.assign(plain, { statusCode, statusMessage, headers, rawHeaders }) as unknown as IncomingMessage
}
