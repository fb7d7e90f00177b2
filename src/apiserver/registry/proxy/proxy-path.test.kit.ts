import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { startTestApiServer, type TestApiServer } from '../../../testing/servers/api-server.js'

/** Where `openPassage` leads. */
export const prefix = '/api/v1/nodes/far/proxy'

/** A server through which a backend is reached as if it were a kubelet: nodes, pods and services are reached alike. */
export async function openPassage(backend: Server): Promise<TestApiServer> {
  backend.listen(0, '127.0.0.1')
  await once(backend, 'listening')
  const server = await startTestApiServer({ options: { kubelets: { preferredAddressTypes: ['InternalIP'] } } })
  const { port: Port } = backend.address() as AddressInfo
  const addresses = [{ type: 'InternalIP', address: '127.0.0.1' }]
  const status = { addresses, daemonEndpoints: { kubeletEndpoint: { Port } } }
  await write(server, 'POST', '/api/v1/nodes', { metadata: { name: 'far' } })
  await write(server, 'PATCH', '/api/v1/nodes/far/status', { status })
  return server
}

export function adminHeaders({ token }: TestApiServer): Record<string, string> {
  return { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
}

async function write(server: TestApiServer, method: string, path: string, body: object): Promise<void> {
  const type = method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {}
  const headers = { ...adminHeaders(server), ...type }
  const agent = new Agent({ keepAlive: false })
  const sent = request(server.url + path, { method, ca: server.authority, agent, headers })
  sent.end(JSON.stringify(body))
  const [response] = await once(sent, 'response')
  response.resume()
  assert.ok(response.statusCode < 300, `${method} ${path}: ${response.statusCode}`)
}
