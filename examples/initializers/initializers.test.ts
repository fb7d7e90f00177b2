import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { Pod } from 'proa/api/core/v1/pod'
import { Secret } from 'proa/api/core/v1/secret'
import { type Client, clientByKubeconfig } from 'proa/client'
import { type ClusterAccess, startCluster } from 'proa/testing'
import { runInitializer } from './initializer.js'
import { longSecrets } from './long-secrets.js'
import { sidecar } from './sidecar.js'
import { testCertificates } from './test-certificates.js'

/** In the current folder, or where it is in the repository of Proa. */
const configuration = readFileSync(
  ['initializers.yaml', 'examples/initializers/initializers.yaml'].find(existsSync)!,
  'utf8',
)

const transports: Readonly<Record<string, (access: ClusterAccess) => Promise<Client>>> = {
  'within the process': async ({ client }) => client,
  'over HTTPS': ({ kubeconfig }) => clientByKubeconfig({ kubeconfig }),
}

interface World extends AsyncDisposable {
  readonly admin: Client
  /** Starts all three; gives how to end them. */
  start(): () => Promise<void>
}

/** A cluster that is configured as the file says, and initializers with the rights that it gives them. */
async function startWorld(connect: (access: ClusterAccess) => Promise<Client>): Promise<World> {
  const cluster = await startCluster({
    nodes: 0,
    featureGates: { Initializers: true },
    // Without service accounts, so that pods have no volumes but those of the examples.
    admissionPlugins: ['Initializers', '-ServiceAccount'],
  })
  await cluster.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'testing' } }, configuration)
  const running = new Set<() => Promise<void>>()
  const start = () => {
    const stopping = new AbortController()
    const options = { signal: stopping.signal, warn: (error: unknown) => assert.fail(String(error)) }
    const connectAgain = () => connect(cluster.as({ serviceAccount: 'example-initializers' }))
    const ended = Promise.all([
      runInitializer(connectAgain, sidecar, options),
      runInitializer(connectAgain, testCertificates, options),
      runInitializer(connectAgain, longSecrets, options),
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
    await cluster.close()
  }
  return { admin: cluster.client, start, [Symbol.asyncDispose]: close }
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
