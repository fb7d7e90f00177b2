import { once } from 'node:events'
import { type ClientHttp2Session, connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2'
import { Agent, type RequestOptions, request } from 'node:https'
import { connect, type TLSSocket } from 'node:tls'
import type { RequestHandler } from '../../apiserver/serving/responder.js'
import type { ListeningServer, ServeOptions } from '../../apiserver/serving/server.js'
import { serve } from '../../apiserver/serving/tls-server.js'
import { environment } from '../../base/environment.js'
import { type CertificateOptions, issue } from '../../wire/x509/certificate.js'
import type { X509KeyPair } from '../../wire/x509/issuer.js'

const testEnvironment = environment()
const tomorrow = () => testEnvironment.clock.now() + 86_400_000

export function createTestAuthority(commonName = 'test authority'): X509KeyPair {
  return issue({ commonName, use: 'authority', notAfter: tomorrow() }, testEnvironment)
}

export function createClientCertificate(authority: X509KeyPair, parts: Partial<CertificateOptions> = {}): X509KeyPair {
  return issue({ commonName: 'jane', use: 'client', notAfter: tomorrow(), ...parts }, testEnvironment, authority)
}

export const testAuthority: X509KeyPair = createTestAuthority()
export const testServerCertificate: X509KeyPair = issue(
  { commonName: 'server', use: 'server', hosts: ['127.0.0.1', 'localhost'], notAfter: tomorrow() },
  testEnvironment,
  testAuthority,
)

interface TestContext {
  after(run: () => Promise<void>): void
}

/** Starts a server on a free port. It is closed when the test ends. */
export async function startServer(
  context: TestContext,
  handle: RequestHandler,
  options: Partial<ServeOptions> = {},
): Promise<ListeningServer> {
  const tls = { ...testServerCertificate, clientCa: testAuthority.cert }
  const server = await serve({ handle, tls, port: 0, address: '127.0.0.1', environment: testEnvironment, ...options })
  context.after(() => server.close(0))
  return server
}

export interface TestResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
}

export type SendTestRequest = (options: TestRequest) => Promise<TestResponse>

export interface TestRequest {
  readonly method?: string
  readonly path?: string
  readonly headers?: Record<string, string | string[]>
  readonly body?: string | Buffer
  readonly credential?: X509KeyPair
}

export async function sendHttp1(
  server: ListeningServer,
  options: TestRequest & Pick<RequestOptions, 'agent'>,
): Promise<TestResponse> {
  const { body, credential, agent = new Agent({ keepAlive: false }), ...rest } = options
  const sent = request({ ...trust(server), ...credential, agent, ...rest })
  sent.end(body)
  const [response] = await once(sent, 'response')
  const bytes = Buffer.concat(await response.toArray())
  return { status: response.statusCode, headers: response.headers, bytes, text: bytes.toString() }
}

export async function openHttp2(server: ListeningServer, credential?: X509KeyPair): Promise<ClientHttp2Session> {
  const session = connectHttp2(`https://127.0.0.1:${server.port}`, { ca: testAuthority.cert, ...credential })
  session.on('error', () => {})
  await once(session, 'connect')
  return session
}

export async function sendHttp2(
  server: ListeningServer,
  { credential, ...options }: TestRequest,
): Promise<TestResponse> {
  const session = await openHttp2(server, credential)
  try {
    return await sendOn(session, options)
  } finally {
    session.close()
  }
}

export async function sendOn(session: ClientHttp2Session, options: TestRequest): Promise<TestResponse> {
  const { method = 'GET', path = '/', headers, body } = options
  const stream = session.request({ ':method': method, ':path': path, ...headers })
  stream.end(body)
  // The server may close a stream without a response.
  const closed = new AbortController()
  stream.once('close', () => closed.abort())
  const [response] = await once(stream, 'response', { signal: closed.signal })
  const bytes = Buffer.concat(await stream.toArray())
  return { status: response[':status'], headers: response, bytes, text: bytes.toString() }
}

/** Opens a TLS socket, on which a test can send any bytes. */
export async function openSocket(server: ListeningServer): Promise<TLSSocket> {
  const socket = connect({ ...trust(server), ALPNProtocols: ['http/1.1'] })
  socket.on('error', () => {})
  await once(socket, 'secureConnect')
  return socket
}

/** Reads raw HTTP/1.1 responses from a socket, one after the other. One byte is one character. */
export class RawResponseReader {
  readonly #pieces: AsyncIterator<Buffer>
  #text = ''

  constructor(socket: TLSSocket) {
    this.#pieces = socket[Symbol.asyncIterator]()
  }

  /** Returns the next response with its body, still chunked if it was sent in chunks. */
  async next(): Promise<string> {
    const head = await this.#upTo('\r\n\r\n')
    const length = /^content-length: (\d+)\r\n/im.exec(head)?.[1]
    if (/^HTTP\/1.1 (1..|204|304) /.test(head)) return head
    if (length !== undefined) return head + (await this.#take(Number(length)))
    return /^transfer-encoding: chunked\r\n/im.test(head) ? head + (await this.#upTo('0\r\n\r\n')) : head
  }

  /** Returns everything until the connection is closed. */
  async rest(): Promise<string> {
    while (await this.#more());
    return this.#take(this.#text.length)
  }

  async #upTo(mark: string): Promise<string> {
    while (!this.#text.includes(mark)) if (!(await this.#more())) throw new Error(`closed after: ${this.#text}`)
    return this.#take(this.#text.indexOf(mark) + mark.length)
  }

  async #take(length: number): Promise<string> {
    while (this.#text.length < length) if (!(await this.#more())) throw new Error(`closed after: ${this.#text}`)
    const taken = this.#text.slice(0, length)
    this.#text = this.#text.slice(length)
    return taken
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#pieces.next()
    if (!done) this.#text += value.toString('latin1')
    return !done
  }
}

function trust(server: ListeningServer) {
  return { host: '127.0.0.1', port: server.port, ca: testAuthority.cert }
}
