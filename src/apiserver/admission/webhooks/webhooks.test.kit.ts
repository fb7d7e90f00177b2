import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { environment } from '../../../base/environment.js'
import { MemoryStore } from '../../../storage/memory/memory-store.js'
import { testAuthority, testServerCertificate } from '../../../testing/servers/https-server.js'
import { issue } from '../../../wire/x509/certificate.js'
import type { ApiServerDependencies } from '../../api-server.js'
import { type MemoryServer, openMemoryServer, type Reply } from '../../registry/server.test.kit.js'

/** A review as a webhook finds it. */
export interface ReceivedReview {
  readonly apiVersion: string
  readonly kind: string
  readonly request: Readonly<Record<string, unknown>> & {
    readonly uid: string
    readonly object: TestObject
    readonly oldObject: TestObject | null
  }
}

export interface TestObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> }
  readonly [field: string]: unknown
}

/** A response without its uid, or nothing where the webhook has written to the wire itself. */
export type Respond = (
  review: ReceivedReview,
  wire: { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse },
) => object | undefined | Promise<object | undefined>

export interface Hook {
  readonly url: string
  readonly port: number
  readonly reviews: readonly ReceivedReview[]
  /** How often somebody connected. */
  readonly connections: number
}

/** A webhook over HTTPS until the test ends. */
export async function startHook(
  context: TestContext,
  respond: Respond,
  tls: ServerOptions = testServerCertificate,
): Promise<Hook> {
  const reviews: ReceivedReview[] = []
  let connections = 0
  const server = createServer(tls, async (incoming, outgoing) => {
    const review = JSON.parse(Buffer.concat(await incoming.toArray()).toString()) as ReceivedReview
    reviews.push(review)
    const response = await respond(review, { incoming, outgoing })
    if (response) outgoing.writeHead(200, { 'content-type': 'application/json' }).end(answerTo(review, response))
  })
  server.on('secureConnection', () => {
    connections++
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  context.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `https://127.0.0.1:${port}/hook`,
    port,
    reviews,
    get connections() {
      return connections
    },
  }
}

export function answerTo({ apiVersion, kind, request: { uid } }: ReceivedReview, response: object): string {
  return JSON.stringify({ apiVersion, kind, response: { uid, ...response } })
}

export const yes: Respond = () => ({ allowed: true })

export function patching(...operations: readonly object[]): object {
  const patch = Buffer.from(JSON.stringify(operations)).toString('base64')
  return { allowed: true, patchType: 'JSONPatch', patch }
}

/** For a webhook that goes by other names than those of this machine. */
export function servingAs(...hosts: readonly string[]): ServerOptions {
  const notAfter = around.clock.now() + 86_400_000
  return issue({ commonName: 'hook', use: 'server', hosts, notAfter }, around, testAuthority)
}

const around = environment()

export const caBundle = Buffer.from(testAuthority.cert).toString('base64')

const anything = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['configmaps'] }

/** A webhook as its configuration lists it; for all that is done to config maps, unless something else is said. */
export function webhook(name: string, url: string, more: object = {}): object {
  return {
    name,
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    clientConfig: { url, caBundle },
    rules: [anything],
    ...more,
  }
}

export interface WebhookServer extends MemoryServer {
  /** Registers webhooks under the name of a configuration. */
  register(type: 'Mutating' | 'Validating', name: string, ...webhooks: readonly object[]): Promise<void>
  /** Creates a config map, or tries to. */
  create(name: string, more?: object): Promise<Reply>
}

const configurations = '/apis/admissionregistration.k8s.io/v1'
export const configMaps = '/api/v1/namespaces/default/configmaps'

export async function openWebhookServer(
  context: TestContext,
  parts: Partial<ApiServerDependencies> = {},
): Promise<WebhookServer> {
  const server = await openMemoryServer(new MemoryStore(), parts)
  context.after(() => server.close())
  return {
    ...server,
    async register(type, name, ...webhooks) {
      const kind = `${type}WebhookConfiguration`
      const object = { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name }, webhooks }
      const { code, text } = await server.send('POST', `${configurations}/${kind.toLowerCase()}s`, object)
      if (code !== 201) throw new Error(text)
    },
    create: (name, more = {}) => {
      const { metadata = {}, ...rest } = more as { readonly metadata?: object }
      return server.send('POST', configMaps, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name, ...metadata },
        ...rest,
      })
    },
  }
}

/** What a refusal says, without what every status has. */
export function refusalIn({ code, body }: Reply): object {
  const { message, reason, details } = body as Readonly<Record<string, unknown>>
  return { code, message, ...(reason !== undefined && { reason }), ...(details !== undefined && { details }) }
}
