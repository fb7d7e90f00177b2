import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { testAuthority, testServerCertificate } from './https-server.js'

export interface JsonServiceRequest {
  readonly method: string
  readonly path: string
  readonly authorization: string
  readonly body: unknown
}

export interface JsonServiceResponse {
  readonly status?: number
  readonly body: unknown
}

/** An external HTTPS service that a server under test calls. */
export interface JsonService {
  readonly url: string
  /** The certificate authority of the service, in PEM form. */
  readonly authority: string
  readonly requests: readonly JsonServiceRequest[]
}

interface TestContext {
  after(run: () => void): void
}

export async function startJsonService(
  context: TestContext,
  respond: (request: JsonServiceRequest) => JsonServiceResponse,
): Promise<JsonService> {
  const requests: JsonServiceRequest[] = []
  const server = createServer(testServerCertificate, async (incoming, response) => {
    const text = Buffer.concat(await incoming.toArray()).toString()
    const { method = '', url: path = '', headers } = incoming
    const request = { method, path, authorization: headers.authorization ?? '', body: text && JSON.parse(text) }
    requests.push(request)
    const { status = 200, body } = respond(request)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  context.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, authority: testAuthority.cert, requests }
}
