import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { parseAllDocuments } from 'yaml'
import { InitializerConfiguration } from '../../src/api/admissionregistration/v1alpha1/initializer-configuration.js'
import { Namespace } from '../../src/api/core/v1/namespace.js'
import { Pod } from '../../src/api/core/v1/pod.js'
import { Secret } from '../../src/api/core/v1/secret.js'
import { ClusterRole } from '../../src/api/rbac/v1/cluster-role.js'
import { ClusterRoleBinding } from '../../src/api/rbac/v1/cluster-role-binding.js'
import type { Client } from '../../src/client/client.js'
import { startTestApiServer, type TestApiServer } from '../../src/testing/servers/api-server.js'
import { httpsClient, inProcessClient } from '../../src/testing/servers/clients.js'
import { runInitializer } from './initializer.js'
import { longSecrets } from './long-secrets.js'
import { sidecar } from './sidecar.js'
import { testCertificates } from './test-certificates.js'

const user = {
  name: 'system:serviceaccount:default:example-initializers',
  uid: '',
  groups: ['system:authenticated'],
  extra: {},
}

const transports: Readonly<Record<string, (server: TestApiServer) => Client>> = {
  'within the process': (server) => inProcessClient(server, { user }),
  'over HTTPS': (server) => httpsClient(server, { token: 'example' }),
}

interface World extends AsyncDisposable {
  readonly server: TestApiServer
  readonly admin: Client
  /** Starts all three; gives how to end them. */
  start(): () => Promise<void>
}

/** A server that is configured as the file says, and initializers that may what it allows. */
async function startWorld(connect: (server: TestApiServer) => Client): Promise<World> {
  const server = await startTestApiServer({
    tokens: [`example,${user.name},`],
    options: {
      featureGates: { Initializers: true },
      admission: { enabled: ['Initializers'], disabled: ['ServiceAccount'] },
    },
  })
  const admin = inProcessClient(server)
  await admin.resource(Namespace).create({ metadata: { name: 'testing' } })
  await applyFile(admin)
  const running = new Set<() => Promise<void>>()
  const start = () => {
    const stopping = new AbortController()
    const options = { signal: stopping.signal, warn: (error: unknown) => assert.fail(String(error)) }
    const ended = Promise.all([
      runInitializer(() => connect(server), sidecar, options),
      runInitializer(() => connect(server), testCertificates, options),
      runInitializer(() => connect(server), longSecrets, options),
    ])
    const stop = async () => {
      running.delete(stop)
      stopping.abort()
      await ended
    }
    running.add(stop)
    return stop
  }
  const close = async () => {
    for (const stop of running) await stop()
    admin.close()
    await server.close()
  }
  return { server, admin, start, [Symbol.asyncDispose]: close }
}

async function applyFile(admin: Client): Promise<void> {
  const kinds = { InitializerConfiguration, ClusterRole, ClusterRoleBinding }
  for (const document of parseAllDocuments(readFileSync('examples/initializers/initializers.yaml', 'utf8'))) {
    const object = document.toJS() as { kind: keyof typeof kinds; metadata: object }
    await admin.resource(kinds[object.kind] as typeof ClusterRole).create(object as never)
  }
}

function pod(name: string, more: { metadata?: object; ports?: readonly number[]; namespace?: string } = {}) {
  const { metadata, ports = [], namespace = 'default' } = more
  const container = { name: 'main', image: 'app:1', ports: ports.map((containerPort) => ({ containerPort })) }
  return { metadata: { name, namespace, ...metadata }, spec: { containers: [container] } } as never
}

function containersOf({ spec }: Pod): readonly string[] {
  return spec.containers.map(({ name }) => name)
}

function secret(name: string, value: string): { metadata: { name: string }; data: { password: string } } {
  return { metadata: { name }, data: { password: Buffer.from(value).toString('base64') } }
}

for (const [transport, connect] of Object.entries(transports))
  describe(`the examples ${transport}`, () => {
    test('put a proxy beside pods that expose port 80 or carry the annotation, and beside no others', async () => {
      await using world = await startWorld(connect)
      world.start()
      const pods = world.admin.resource(Pod)
      const asking = { annotations: { 'initializers.example.com/sidecar': 'true' } }
      assert.deepEqual(containersOf(await pods.create(pod('web', { ports: [8080, 80] }))), ['main', 'sidecar-proxy'])
      assert.deepEqual(containersOf(await pods.create(pod('asks', { metadata: asking }))), ['main', 'sidecar-proxy'])
      const plain = await pods.create(pod('plain', { ports: [8080] }))
      assert.deepEqual(containersOf(plain), ['main'])
      assert.equal(plain.metadata.initializers, undefined)
    })

    test('mount test certificates into every pod of one namespace, after the proxy was put in', async () => {
      await using world = await startWorld(connect)
      world.start()
      const { spec } = await world.admin.resource(Pod).create(pod('web', { ports: [80], namespace: 'testing' }))
      assert.deepEqual(
        spec.volumes?.map(({ name, secret: source }) => [name, source?.secretName]),
        [['test-certificates', 'test-certificates']],
      )
      for (const { name, volumeMounts } of spec.containers)
        assert.deepEqual(
          volumeMounts?.map(({ mountPath }) => mountPath),
          ['/etc/test-certificates'],
          name,
        )
      assert.equal(spec.containers.length, 2)
      const elsewhere = await world.admin.resource(Pod).create(pod('web'))
      assert.equal(elsewhere.spec.volumes, undefined)
    })

    test('refuse a secret that is too short, and nobody ever sees it', async () => {
      await using world = await startWorld(connect)
      world.start()
      const secrets = world.admin.resource(Secret).in('default')
      await assert.rejects(secrets.create(secret('short', 'nineteen characters')), {
        code: 403,
        reason: 'Forbidden',
        message: 'the value of password has 19 characters, and needs at least 20',
      })
      await assert.rejects(secrets.get('short', { includeUninitialized: true }), { code: 404 })
      const long = await secrets.create(secret('long', 'just twenty letters!'))
      assert.deepEqual(await secrets.get('long'), long)
    })

    test('go on where they were left when they are begun anew', async () => {
      await using world = await startWorld(connect)
      const stop = world.start()
      const pods = world.admin.resource(Pod)
      await pods.create(pod('before'))
      await stop()
      const waiting = pods.create(pod('between', { ports: [80] }))
      for await (const { object } of pods.watch({ includeUninitialized: true }))
        if (object.metadata.name === 'between') break
      world.start()
      assert.deepEqual(containersOf(await waiting), ['main', 'sidecar-proxy'])
    })
  })
