import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Service } from '../../../api/core/v1/service.js'
import { MemoryStore } from '../../../storage/memory/memory-store.js'
import { type MemoryServer, openMemoryServer, type Reply } from '../server.test.kit.js'

const path = '/api/v1/namespaces/default/services'

function service(name: string, spec: object = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { ports: [{ port: 80 }], selector: { a: 'b' }, ...spec },
  }
}

function specOf({ body }: Reply): Service['spec'] {
  return (body as unknown as Service).spec
}

suite('services', () => {
  let server: MemoryServer
  before(async () => {
    server = await openMemoryServer(new MemoryStore(), {
      services: { clusterIpRanges: ['10.0.0.0/26', 'fd00::/112'], nodePorts: { first: 30_000, last: 30_040 } },
    })
  })
  after(() => server.close())

  test('created concurrently get distinct addresses and ports', async () => {
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, i) => server.send('POST', path, service(`many-${i}`, { type: 'NodePort' }))),
    )
    assert.ok(made.every(({ code }) => code === 201))
    assert.equal(new Set(made.map((reply) => specOf(reply).clusterIP)).size, 20)
    assert.equal(new Set(made.map((reply) => specOf(reply).ports![0]!.nodePort)).size, 20)
    for (let i = 0; i < 20; i++) await server.send('DELETE', `${path}/many-${i}`)
  })

  test('have an object for each address, which is deleted with them', async () => {
    const { clusterIP } = specOf(await server.send('POST', path, service('held')))
    const address = await server.send('GET', `/apis/networking.k8s.io/v1/ipaddresses/${clusterIP}`)
    assert.deepEqual(address.body.spec, { parentRef: { resource: 'services', namespace: 'default', name: 'held' } })
    const taken = await server.send('POST', path, service('late', { clusterIP }))
    assert.match(
      String(taken.body.message),
      new RegExp(`failed to allocate IP ${clusterIP}: provided IP is already allocated`),
    )
    await server.send('DELETE', `${path}/held`)
    assert.equal((await server.send('GET', `/apis/networking.k8s.io/v1/ipaddresses/${clusterIP}`)).code, 404)
    assert.equal((await server.send('POST', path, service('late', { clusterIP }))).code, 201)
    await server.send('DELETE', `${path}/late`)
  })

  test('have addresses of both families if requested', async () => {
    const spec = specOf(await server.send('POST', path, service('dual', { ipFamilyPolicy: 'PreferDualStack' })))
    assert.deepEqual(spec.ipFamilies, ['IPv4', 'IPv6'])
    assert.match(spec.clusterIPs![1]!, /^fd00::/)
    const single = specOf(await server.send('PATCH', `${path}/dual`, { spec: { ipFamilyPolicy: 'SingleStack' } }))
    assert.deepEqual(single.ipFamilies, ['IPv4'])
    const gone = await server.send('GET', `/apis/networking.k8s.io/v1/ipaddresses/${spec.clusterIPs![1]}`)
    assert.equal(gone.code, 404)
  })

  test('release node ports when their type changes', async () => {
    const ports = [{ port: 80, nodePort: 30_007 }]
    await server.send('POST', path, service('front', { type: 'NodePort', ports }))
    assert.equal((await server.send('POST', path, service('other', { type: 'NodePort', ports }))).code, 422)
    await server.send('PATCH', `${path}/front`, { spec: { type: 'ClusterIP' } })
    assert.equal((await server.send('POST', path, service('other', { type: 'NodePort', ports }))).code, 201)
  })

  test('share a node port between protocols, and have one for health checks', async () => {
    const ports = [
      { name: 't', port: 53, protocol: 'TCP' },
      { name: 'u', port: 53, protocol: 'UDP' },
    ]
    const spec = specOf(
      await server.send('POST', path, service('dns', { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports })),
    )
    assert.equal(spec.ports![0]!.nodePort, spec.ports![1]!.nodePort)
    assert.ok(spec.healthCheckNodePort! >= 30_000)
    assert.notEqual(spec.healthCheckNodePort, spec.ports![0]!.nodePort)
  })

  test('cannot request addresses and ports out of range', async () => {
    const refusal = async (spec: object) => String((await server.send('POST', path, service('out', spec))).body.message)
    assert.match(
      await refusal({ clusterIP: '10.9.9.9' }),
      /failed to allocate IP 10.9.9.9: the provided network does not match the current range/,
    )
    assert.match(
      await refusal({ type: 'NodePort', ports: [{ port: 80, nodePort: 99 }] }),
      /The range of valid ports is 30000-30040/,
    )
  })

  test('leave no reservation behind when a range is full', async () => {
    const replies = await Promise.all(
      Array.from({ length: 70 }, (_, i) => server.send('POST', path, service(`full-${i}`))),
    )
    const refused = replies.filter(({ code }) => code !== 201)
    assert.ok(refused.length > 0)
    assert.match(String(refused[0]!.body.message), /failed to allocate a serviceIP: range is full/)
    for (let i = 0; i < 70; i++) await server.send('DELETE', `${path}/full-${i}`)
    assert.equal((await server.send('POST', path, service('room'))).code, 201)
  })
})

test('a new server restores lost reservations, and releases unused ones', async () => {
  const store = new MemoryStore()
  const first = await openMemoryServer(store)
  const { clusterIP } = specOf(await first.send('POST', path, service('web')))
  await first.send('DELETE', `/apis/networking.k8s.io/v1/ipaddresses/${clusterIP}`)
  const stray = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IPAddress',
    metadata: { name: '10.96.7.7', labels: { 'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io' } },
    spec: { parentRef: { resource: 'services', namespace: 'default', name: 'gone' } },
  }
  await first.send('POST', '/apis/networking.k8s.io/v1/ipaddresses', stray)
  await first.close()
  const second = await openMemoryServer(store)
  assert.equal((await second.send('GET', `/apis/networking.k8s.io/v1/ipaddresses/${clusterIP}`)).code, 200)
  assert.equal((await second.send('GET', '/apis/networking.k8s.io/v1/ipaddresses/10.96.7.7')).code, 404)
  await second.close()
})

test('two servers over one store never allocate the same address or port', async () => {
  const store = new MemoryStore()
  const parts = {
    soleWriter: false,
    services: { clusterIpRanges: ['10.0.0.0/27'], nodePorts: { first: 30_000, last: 30_031 } },
  }
  const servers = [await openMemoryServer(store, parts), await openMemoryServer(store, parts)]
  const made = await Promise.all(
    Array.from({ length: 28 }, (_, i) =>
      servers[i % 2]!.send('POST', path, service(`both-${i}`, { type: 'NodePort' })),
    ),
  )
  assert.deepEqual(new Set(made.map(({ code }) => code)), new Set([201]))
  assert.equal(new Set(made.map((reply) => specOf(reply).clusterIP)).size, 28)
  assert.equal(new Set(made.map((reply) => specOf(reply).ports![0]!.nodePort)).size, 28)
  for (const server of servers) await server.close()
})
