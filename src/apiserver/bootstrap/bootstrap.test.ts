import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MemoryStore } from '../../storage/memory/memory-store.js'
import { openMemoryServer } from '../registry/server.test.kit.js'

test('a new cluster has what every cluster has, and an old one keeps it', async () => {
  const store = new MemoryStore()
  const first = await openMemoryServer(store)
  const service = await first.send('GET', '/api/v1/namespaces/default/services/kubernetes')
  assert.equal((service.body.spec as unknown as { clusterIP: string }).clusterIP, '10.96.0.1')
  assert.equal((await first.send('GET', '/apis/networking.k8s.io/v1/ipaddresses/10.96.0.1')).code, 200)
  for (const path of [
    '/api/v1/namespaces/kube-node-lease',
    '/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical',
    '/apis/networking.k8s.io/v1/servicecidrs/kubernetes',
    '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/catch-all',
    '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations/exempt',
  ])
    assert.equal((await first.send('GET', path)).code, 200, path)
  const { revision } = first.api.objects
  await first.close()
  const second = await openMemoryServer(store)
  assert.equal(second.api.objects.revision, revision)
  await second.close()
})

test('a server that has moved says so', async () => {
  const store = new MemoryStore()
  await (await openMemoryServer(store)).close()
  const moved = await openMemoryServer(store, { address: '192.0.2.2', port: 7443 })
  const slice = await moved.send('GET', '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes')
  assert.deepEqual(slice.body.endpoints, [{ addresses: ['192.0.2.2'], conditions: { ready: true } }])
  assert.deepEqual(slice.body.ports, [{ name: 'https', port: 7443, protocol: 'TCP' }])
  const service = await moved.send('GET', '/api/v1/namespaces/default/services/kubernetes')
  const { ports } = service.body.spec as unknown as { ports: object }
  assert.deepEqual(ports, [{ name: 'https', port: 443, protocol: 'TCP', targetPort: 7443 }])
  await moved.close()
})

test('a namespace stays until nothing holds it', async () => {
  const server = await openMemoryServer()
  await server.send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n' } })
  const path = '/api/v1/namespaces/n'
  const deleted = await server.send('DELETE', path)
  assert.deepEqual(deleted.body.status, { phase: 'Terminating' })
  await server.send('PATCH', path, { metadata: { labels: { a: 'b' } } })
  assert.equal((await server.send('GET', path)).code, 200)
  await server.send('PUT', `${path}/finalize`, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'n' },
    spec: {},
  })
  assert.equal((await server.send('GET', path)).code, 404)
  await server.close()
})

test('classes of the system cannot be deleted', async () => {
  const server = await openMemoryServer()
  const reply = await server.send('DELETE', '/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical')
  assert.match(String(reply.body.message), /this is a system priority class and cannot be deleted/)
  await server.close()
})
