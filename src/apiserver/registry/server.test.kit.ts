import { generateKeyPairSync } from 'node:crypto'
import { builtin } from '../../api/scheme.js'
import { environment as realEnvironment } from '../../base/environment.js'
import { MemoryStore } from '../../storage/memory/memory-store.js'
import { type ApiServer, type ApiServerDependencies, openApiServer } from '../api-server.js'
import { tokenSigner } from '../authentication/service-accounts/keys.js'
import { alwaysAllowAuthorizer } from '../authorization/fixed-authorizers.js'
import type { ApiRequest } from '../request/request-context.js'
import type { Responder } from '../serving/responder.js'

export const { privateKey, publicKey } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})

const admin = { name: 'admin', uid: '', groups: ['system:masters'], extra: {} }

export interface Reply {
  readonly code: number
  readonly headers: readonly string[]
  /** What was sent, if it is JSON. */
  readonly body: Json
  readonly text: string
}

export interface Json {
  readonly [field: string]: never
}

export interface MemoryServer {
  readonly api: ApiServer
  readonly store: MemoryStore
  send(method: string, path: string, body?: object, headers?: Readonly<Record<string, string>>): Promise<Reply>
  close(): Promise<void>
}

/** An API server without sockets over a store in memory, in which everybody is almighty. */
export async function openMemoryServer(
  store = new MemoryStore(),
  given: Partial<ApiServerDependencies> = {},
): Promise<MemoryServer> {
  const environment = realEnvironment()
  const api = await openApiServer(
    {
      store,
      scheme: builtin,
      soleWriter: true,
      authentication: () => ({ authenticators: [{ name: 'test', authenticate: () => admin }], tokens: [] }),
      authorizers: () => [alwaysAllowAuthorizer],
      admission: { enabled: [], disabled: ['ServiceAccount'] },
      allowPrivileged: false,
      requests: { maxInFlight: 400, maxMutatingInFlight: 200, isFair: true, timeout: 60_000 },
      services: { clusterIpRanges: ['10.96.0.0/16'], nodePorts: { first: 30_000, last: 32_767 } },
      serviceAccounts: { issuer: 'https://here', audiences: ['https://here'], sign: tokenSigner(privateKey), keys: [] },
      eventSeconds: 3600,
      build: { version: '0.0.0', commit: 'none', treeState: 'clean', date: '2026-01-01T00:00:00Z' },
      address: '192.0.2.1',
      port: 6443,
      ...given,
    },
    environment,
  )
  return { api, store, send: (...call) => send(api, ...call), close: () => api.close() }
}

function send(api: ApiServer, ...[method, path, body, headers]: Parameters<MemoryServer['send']>): Promise<Reply> {
  const url = new URL(path, 'http://server')
  const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body))
  const request: ApiRequest = {
    method,
    path: decodeURIComponent(url.pathname),
    query: url.searchParams,
    headers: { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json', ...headers },
    body: () => Promise.resolve({ bytes }),
    signal: new AbortController().signal,
    peer: { address: '127.0.0.1' },
  }
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = []
    let head: { code: number; headers: readonly string[] } = { code: 0, headers: [] }
    const done = (chunk?: Uint8Array) => {
      if (chunk) chunks.push(chunk)
      const text = Buffer.concat(chunks).toString()
      resolve({ ...head, text, body: text.startsWith('{') ? JSON.parse(text) : {} })
    }
    const respond: Responder = {
      whole(code, headers, whole) {
        head = { code, headers }
        done(whole)
      },
      head(code, headers) {
        head = { code, headers }
      },
      write(chunk) {
        chunks.push(chunk)
        return true
      },
      drained: () => Promise.resolve(),
      end: done,
      destroy: () => done(),
      buffered: 0,
      started: false,
      closed: false,
    }
    Promise.resolve(api.handle(request, respond)).catch(reject)
  })
}

export function testPod(name: string, spec: object = {}, metadata: object = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...metadata },
    spec: { containers: [{ name: 'main', image: 'app:1' }], ...spec },
  }
}
