import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Deployment } from '../../api/apps/v1/deployment.js'
import { Scale } from '../../api/autoscaling/v1/scale.js'
import { Binding } from '../../api/core/v1/binding.js'
import { ConfigMap } from '../../api/core/v1/config-map.js'
import { Namespace } from '../../api/core/v1/namespace.js'
import { Node } from '../../api/core/v1/node.js'
import { Pod } from '../../api/core/v1/pod.js'
import { ServiceAccount } from '../../api/core/v1/service-account.js'
import { ApiError, type ApiErrorReason, hasReason } from '../../api/errors.js'
import type { Client, ClientOptions } from '../../client/client.js'
import type { ResourceClient, ResourceEvent } from '../../client/resource-client.js'
import { startTestApiServer, type TestApiServer } from '../servers/api-server.js'

/** Makes a client of a server over one transport; of a user who may nothing, where that is asked for. */
export type ClientMaker = (server: TestApiServer, options: ClientOptions & { readonly stranger?: boolean }) => Client

const namespace = 'default'

interface World {
  readonly server: TestApiServer
  readonly client: Client
  /** Those that the client was told. */
  readonly warnings: readonly string[]
  readonly make: ClientMaker
  readonly configMaps: ResourceClient<ConfigMap>
}

/** What every transport must do, told as one user of the client after the other. */
export function clientContract(name: string, make: ClientMaker): void {
  describe(name, () => {
    let world: World
    before(async () => {
      world = await newWorld(make)
    })
    after(async () => {
      world.client.close()
      await world.server.close()
    })
    for (const [sentence, tell] of Object.entries(stories)) test(sentence, () => tell(world))
  })
}

async function newWorld(make: ClientMaker): Promise<World> {
  const server = await startTestApiServer({ tokens: ['stranger,stranger,1'] })
  const warnings: string[] = []
  const client = make(server, { warn: (warning) => warnings.push(warning) })
  await client
    .resource(ServiceAccount)
    .in(namespace)
    .create({ metadata: { name: 'default' } })
  return { server, client, warnings, make, configMaps: client.resource(ConfigMap).in(namespace) }
}

const stories: Readonly<Record<string, (world: World) => Promise<void>>> = {
  'creates, reads, updates and deletes': async ({ client, configMaps }) => {
    const made = await configMaps.create({ metadata: { name: 'whole' }, data: { a: '1' } })
    assert.deepEqual([made.apiVersion, made.kind, made.data], ['v1', 'ConfigMap', { a: '1' }])
    const read = await configMaps.get('whole')
    assert.deepEqual(read, made)
    const updated = await client.resource(ConfigMap).update({ ...read, data: { b: '2' } })
    assert.deepEqual(updated.data, { b: '2' })
    assert.notEqual(updated.metadata.resourceVersion, made.metadata.resourceVersion)
    await refused(() => configMaps.update({ ...read, data: {} }), 'Conflict')
    await configMaps.delete('whole')
    await refused(() => configMaps.get('whole'), 'NotFound')
  },
  'tells what is wrong as an error with its status': async ({ client, configMaps }) => {
    await configMaps.create({ metadata: { name: 'taken' } })
    const error = await refused(() => configMaps.create({ metadata: { name: 'taken' } }), 'AlreadyExists')
    assert.equal(error.message, 'configmaps "taken" already exists')
    assert.deepEqual(error.status().details, { name: 'taken', kind: 'configmaps' })
    const invalid = await refused(() => configMaps.create({ metadata: { name: 'Not Valid' } }), 'Invalid')
    assert.equal(invalid.status().details?.causes?.[0]?.field, 'metadata.name')
    await refused(
      () =>
        client
          .resource(ConfigMap)
          .in('none')
          .create({ metadata: { name: 'a' } }),
      'NotFound',
    )
    await assert.rejects(() => configMaps.update({ metadata: {} }), TypeError)
  },
  'is who it is, and may only what that may': async ({ server, make }) => {
    const stranger = make(server, { stranger: true })
    const error = await refused(() => stranger.resource(Node).list(), 'Forbidden')
    assert.match(error.message, /User "stranger" cannot list resource "nodes"/)
    stranger.close()
  },
  'patches in each way, and applies': async ({ configMaps }) => {
    await configMaps.create({ metadata: { name: 'patched' }, data: { a: '1' } })
    await configMaps.patch('patched', 'merge', { data: { b: '2' } })
    await configMaps.patch('patched', 'json', [{ op: 'remove', path: '/data/a' }])
    await configMaps.patch('patched', 'strategic', { data: { c: '3' } })
    const given = { metadata: { name: 'patched' }, data: { d: '4' } }
    const { data, metadata } = await configMaps.apply(given, { fieldManager: 'tester' })
    assert.deepEqual(data, { b: '2', c: '3', d: '4' })
    assert.ok(metadata.managedFields?.some(({ manager, operation }) => manager === 'tester' && operation === 'Apply'))
    const taken = { metadata: { name: 'patched' }, data: { d: '5' } }
    await refused(() => configMaps.apply(taken, { fieldManager: 'other' }), 'Conflict')
    assert.equal((await configMaps.apply(taken, { fieldManager: 'other', force: true })).data?.d, '5')
  },
  'lists by selectors, in pages, in one namespace and in all': async ({ client, configMaps }) => {
    await client.resource(Namespace).create({ metadata: { name: 'other' } })
    const labels = { list: 'me' }
    for (const name of ['a', 'b', 'c']) await configMaps.create({ metadata: { name: `list-${name}`, labels } })
    await client.resource(ConfigMap).create({ metadata: { name: 'list-d', namespace: 'other', labels } })
    const names = (items: readonly ConfigMap[]) => items.map(({ metadata }) => metadata.name)
    const everywhere = await client.resource(ConfigMap).list({ labelSelector: 'list=me' })
    assert.deepEqual(names(everywhere.items), ['list-a', 'list-b', 'list-c', 'list-d'])
    assert.deepEqual([everywhere.items[0]?.kind, everywhere.items[0]?.apiVersion], ['ConfigMap', 'v1'])
    const first = await configMaps.list({ labelSelector: 'list=me', limit: 2 })
    assert.deepEqual(names(first.items), ['list-a', 'list-b'])
    const second = await configMaps.list({ labelSelector: 'list=me', limit: 2, continue: first.continue ?? '' })
    assert.deepEqual(names(second.items), ['list-c'])
    assert.equal(second.resourceVersion, first.resourceVersion)
    await configMaps.deleteCollection({ labelSelector: 'list=me' })
    assert.deepEqual(names((await client.resource(ConfigMap).list({ labelSelector: 'list=me' })).items), ['list-d'])
  },
  'reads and writes subresources': async ({ client }) => {
    const labels = { app: 'web' }
    const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'nginx' }] } }
    const deployments = client.resource(Deployment).in(namespace)
    const spec = { selector: { matchLabels: labels }, template } as unknown as Deployment['spec']
    const made = await deployments.create({ metadata: { name: 'web' }, spec })
    const status = await deployments.subresource('status').update({ ...made, status: { replicas: 3 } })
    assert.equal(status.status?.replicas, 3)
    const scales = deployments.subresource('scale', Scale)
    const scale = await scales.get('web')
    assert.equal(scale.spec?.replicas, 1)
    await scales.update({ ...scale, spec: { replicas: 5 } })
    assert.equal((await deployments.get('web')).spec?.replicas, 5)
    const pods = client.resource(Pod).in(namespace)
    await pods.create({ metadata: { name: 'web' }, spec: template.spec as unknown as Pod['spec'] })
    const target = { apiVersion: 'v1', kind: 'Node', name: 'machine' }
    await pods.subresource('binding', Binding).create({ metadata: { name: 'web' }, target })
    assert.equal((await pods.get('web')).spec?.nodeName, 'machine')
  },
  'passes warnings on': async ({ warnings, configMaps }) => {
    const odd = { metadata: { name: 'odd' }, dta: {} } as unknown as ConfigMap
    await configMaps.create(odd, { fieldValidation: 'Warn' })
    assert.deepEqual(
      warnings.filter((text) => text.includes('dta')),
      ['unknown field "dta"'],
    )
    await refused(() => configMaps.create(odd, { fieldValidation: 'Strict' }), 'BadRequest')
  },
  'does nothing in a dry run': async ({ configMaps }) => {
    const { metadata } = await configMaps.create({ metadata: { name: 'dry' } }, { dryRun: 'All' })
    assert.ok(metadata.uid)
    await refused(() => configMaps.get('dry'), 'NotFound')
  },
  'watches: what is there, what comes, until it is told to stop': async ({ client, configMaps }) => {
    await configMaps.create({ metadata: { name: 'watch-a', labels: { watch: 'me' } } })
    const ending = new AbortController()
    const seen: string[] = []
    const watching = watch(client, { labelSelector: 'watch=me', signal: ending.signal }, ({ type, object }) => {
      seen.push(`${type} ${object.metadata.name}`)
      if (seen.length === 4) ending.abort()
    })
    await configMaps.create({ metadata: { name: 'watch-b', labels: { watch: 'me' } } })
    await configMaps.create({ metadata: { name: 'unseen' } })
    await configMaps.patch('watch-b', 'merge', { data: { a: '1' } })
    await configMaps.patch('watch-b', 'merge', { metadata: { labels: { watch: null } } })
    await watching
    assert.deepEqual(seen, ['ADDED watch-a', 'ADDED watch-b', 'MODIFIED watch-b', 'DELETED watch-b'])
  },
  'goes on watching where a list was': async ({ configMaps }) => {
    const { resourceVersion } = await configMaps.list()
    await configMaps.create({ metadata: { name: 'after' } })
    for await (const { type, object } of configMaps.watch({ resourceVersion })) {
      assert.deepEqual([type, object.metadata.name], ['ADDED', 'after'])
      break
    }
  },
  'tells what is wrong with a watch': async ({ client, configMaps }) => {
    await refused(() => watch(client, { labelSelector: 'a in' }, () => {}), 'BadRequest')
    const future = String(Number((await configMaps.list()).resourceVersion) + 1000)
    await refused(() => watch(client, { resourceVersion: future, sendInitialEvents: true }, () => {}), 'Invalid')
  },
  'a watch ends when its time is over': async ({ client, configMaps }) => {
    const { resourceVersion } = await configMaps.list()
    await watch(client, { timeoutSeconds: 1, resourceVersion }, () => assert.fail('nothing happened'))
  },
  'reads what is no resource': async ({ client }) => {
    assert.equal(Buffer.from((await client.raw('/readyz')).bytes).toString(), 'ok')
    const groups = JSON.parse(Buffer.from((await client.raw('/apis')).bytes).toString()) as { kind: string }
    assert.equal(groups.kind, 'APIGroupList')
    await refused(() => client.raw('/api/v1/nothing'), 'NotFound')
  },
  'gives up what nobody wants any more, with the reason that is given': async ({ client, configMaps }) => {
    const stopped = AbortSignal.abort(new Error('enough'))
    const options = { signal: stopped }
    const object = { metadata: { name: 'given-up' } }
    const calls: readonly (() => Promise<unknown>)[] = [
      () => configMaps.get('given-up', options),
      () => configMaps.list(options),
      () => configMaps.create(object, options),
      () => configMaps.update(object, options),
      () => configMaps.patch('given-up', 'merge', {}, options),
      () => configMaps.apply(object, { fieldManager: 'tester', ...options }),
      () => configMaps.delete('given-up', options),
      () => configMaps.deleteCollection({}, options),
      () => client.raw('/version', {}, options),
    ]
    for (const call of calls) await assert.rejects(call, stopped.reason)
    await refused(() => configMaps.get('given-up'), 'NotFound')
    await watch(client, options, () => assert.fail('it was over before it began'))
  },
  'gives up a request that the server turns away again and again': async ({ client }) => {
    const stopping = new AbortController()
    const { resourceVersion } = await client.resource(Namespace).list()
    // There may be such a revision soon: the client is to come back then.
    const future = String(Number(resourceVersion) + 1000)
    const asked = client.resource(Namespace).list({ resourceVersion: future, signal: stopping.signal })
    const reason = new Error('enough')
    setTimeout(() => stopping.abort(reason), 50)
    await assert.rejects(asked, reason)
  },
  'one signal ends many requests and watches': async ({ client, configMaps }) => {
    const stopping = new AbortController()
    const { signal } = stopping
    const watches = Array.from({ length: 20 }, () => watch(client, { signal }, () => {}))
    await Promise.all(Array.from({ length: 20 }, () => configMaps.list({ signal })))
    stopping.abort()
    await Promise.all(watches)
  },
  'sends nothing once it is closed, and its watches end': async ({ server, make }) => {
    const its = make(server, {})
    for await (const _ of its.resource(Namespace).watch()) its.close()
    await assert.rejects(its.resource(Namespace).list(), { message: 'the client is closed' })
  },
  'watches end when the server goes': async ({ make }) => {
    const mine = await startTestApiServer()
    const its = make(mine, {})
    let closing: Promise<void> | undefined
    for await (const { type } of its.resource(Namespace).watch()) {
      assert.equal(type, 'ADDED')
      closing ??= mine.close()
    }
    assert.ok(closing, 'there is a namespace')
    await closing
    its.close()
  },
}

async function watch(
  client: Client,
  options: Parameters<ReturnType<Client['resource']>['watch']>[0],
  take: (event: ResourceEvent<ConfigMap>) => void,
): Promise<void> {
  for await (const event of client.resource(ConfigMap).in(namespace).watch(options)) take(event)
}

async function refused(call: () => Promise<unknown>, reason: ApiErrorReason): Promise<ApiError> {
  const error: unknown = await call().then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof ApiError, `it was not refused: ${error}`)
  assert.ok(hasReason(error, reason), `${error.reason}: ${error.message}`)
  return error
}
