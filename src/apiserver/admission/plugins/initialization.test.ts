/** The story's chapter on initializers: after an object is stored, and before anybody sees it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { InitializerConfiguration } from '../../../api/admissionregistration/v1alpha1/initializer-configuration.js'
import { ConfigMap } from '../../../api/core/v1/config-map.js'
import { Pod } from '../../../api/core/v1/pod.js'
import { ApiError } from '../../../api/errors.js'
import { RoleBinding } from '../../../api/rbac/v1/role-binding.js'
import { environment } from '../../../base/environment.js'
import { VirtualClock } from '../../../base/virtual-clock.js'
import type { Client } from '../../../client/client.js'
import { inProcessTransport } from '../../../client/in-process.js'
import type { ResourceClient } from '../../../client/resource-client.js'
import type { ObjectResult } from '../../../client/transport.js'
import { administrator, inProcessClient } from '../../../testing/servers/clients.js'
import { startInitializingServer } from '../../../testing/servers/initializing-server.js'

const first = 'first.example.com'
const second = 'second.example.com'
const everything = { includeUninitialized: true } as const

function mapsOf(client: Client): ResourceClient<ConfigMap> {
  return client.resource(ConfigMap).in('default')
}

/** What became of a request: the name of what it gave, or why it was refused. */
async function outcome(answer: Promise<{ readonly metadata: { readonly name?: string } }>): Promise<string> {
  return answer.then(
    ({ metadata }) => `ok ${metadata.name}`,
    (error: unknown) => {
      assert.ok(error instanceof ApiError, String(error))
      return `${error.code} ${error.message}`
    },
  )
}

/** Sees an object that waits, as soon as it does. */
async function found(maps: ResourceClient<ConfigMap>, name: string): Promise<ConfigMap> {
  for await (const { object } of maps.watch({ ...everything, fieldSelector: `metadata.name=${name}` })) return object
  throw new Error(`${name} never came`)
}

/** Takes the first name off an object. */
async function answer(maps: ResourceClient<ConfigMap>, object: ConfigMap, change: object = {}): Promise<ConfigMap> {
  const pending = object.metadata.initializers!.pending.slice(1)
  return maps.update({ ...object, ...change, metadata: { ...object.metadata, initializers: { pending } } })
}

function waitingFor({ metadata }: ConfigMap): readonly string[] {
  return (metadata.initializers?.pending ?? []).map(({ name }) => name)
}

describe('an object that waits to be initialized', () => {
  test('is not there for who reads, unless he asks for such', async () => {
    await using it = await startInitializingServer()
    await it.configure('c', 'configmaps', first)
    const maps = mapsOf(it.as('writer'))
    const made = await maps.create({ metadata: { name: 'a' } }, everything)
    assert.deepEqual(waitingFor(made), [first])
    assert.equal(await outcome(maps.get('a')), '404 configmaps "a" not found')
    assert.deepEqual((await maps.list({ fieldSelector: 'metadata.name=a' })).items, [])
    assert.deepEqual(await maps.list({ limit: 1 }), { items: [], resourceVersion: made.metadata.resourceVersion })
    assert.equal((await maps.get('a', everything)).metadata.uid, made.metadata.uid)
    assert.deepEqual((await maps.list({ ...everything, fieldSelector: 'metadata.name=a' })).items, [made])
    assert.equal(await outcome(maps.create({ metadata: { name: 'a' } })), '409 configmaps "a" already exists')
  })

  test('is added for a watcher when the last one has answered, and is his who waits for it', async () => {
    await using it = await startInitializingServer()
    await it.configure('c', 'configmaps', first, second)
    const maps = mapsOf(it.as('writer', 'https'))
    const initializers = mapsOf(it.as('initializer', 'https'))
    const { resourceVersion } = await maps.list()
    const seen = watched(maps, { resourceVersion }, 2)
    const seenByAll = watched(maps, { ...everything, resourceVersion }, 4)
    const made = maps.create({ metadata: { name: 'a' } })
    const once = await answer(initializers, await found(initializers, 'a'), { data: { first: 'was here' } })
    assert.deepEqual(waitingFor(once), [second])
    const twice = await answer(initializers, once)
    assert.equal(twice.metadata.initializers, undefined)
    assert.deepEqual(await made, await maps.get('a'))
    assert.deepEqual((await made).data, { first: 'was here' })
    await maps.update({ ...(await made), data: {} })
    assert.deepEqual(await seen, ['ADDED a', 'MODIFIED a'])
    assert.deepEqual(await seenByAll, ['ADDED a', 'MODIFIED a', 'MODIFIED a', 'MODIFIED a'])
  })

  test('gets 202 to who does not wait, and with 201 to who does', async () => {
    await using it = await startInitializingServer()
    await it.configure('c', 'configmaps', first)
    const { send } = inProcessTransport({ handle: it.server.api.handleInProcess, user: administrator })
    const path = '/api/v1/namespaces/default/configmaps'
    const code = async (search: string, metadata: object) => {
      const query = new URLSearchParams(search)
      const { response: answer } = await send({
        method: 'POST',
        path,
        query,
        body: { metadata },
        responseType: 'object',
      })
      return (answer as ObjectResult).code
    }
    assert.equal(await code('includeUninitialized=true', { name: 'a' }), 202)
    const waiting = code('', { name: 'b' })
    const maps = mapsOf(it.admin)
    await answer(maps, await found(maps, 'b'))
    assert.equal(await waiting, 201)
    assert.equal(await code('', { name: 'c', initializers: {} }), 201)
    assert.equal(await code('includeUninitialized=true', { name: 'd', initializers: { pending: [] } }), 201)
    assert.equal(await code('dryRun=All', { name: 'e' }), 202)
  })

  test('can be deleted by who cannot see it, and then is never told of; its creator is', async () => {
    await using it = await startInitializingServer()
    await it.configure('c', 'configmaps', first)
    const maps = mapsOf(it.as('writer'))
    const { resourceVersion } = await maps.list()
    const seen = watched(maps, { resourceVersion }, 1)
    const made = maps.create({ metadata: { name: 'a' } })
    await found(maps, 'a')
    await maps.delete('a')
    assert.equal(await outcome(made), '500 Internal error occurred: object deleted while waiting for creation')
    await maps.create({ metadata: { name: 'b', labels: { go: 'away' } } }, everything)
    await maps.deleteCollection({ labelSelector: 'go=away' })
    assert.equal(await outcome(maps.get('b', everything)), '404 configmaps "b" not found')
    const complete = mapsOf(it.admin).create({ metadata: { name: 'end', initializers: { pending: [] } } })
    assert.deepEqual([await outcome(complete), await seen], ['ok end', ['ADDED end']])
  })

  test('waits also when it comes by an apply', async () => {
    await using it = await startInitializingServer()
    await it.configure('c', 'configmaps', first)
    const maps = mapsOf(it.as('writer'))
    const applied = maps.apply({ metadata: { name: 'a' }, data: { x: '1' } }, { fieldManager: 'm' })
    await answer(mapsOf(it.admin), await found(maps, 'a'))
    assert.deepEqual((await applied).data, { x: '1' })
    assert.deepEqual(await applied, await maps.get('a'))
  })

  test('counts for nothing within the server either: a binding that waits allows nothing', async () => {
    await using it = await startInitializingServer()
    const rules = [{ apiGroups: ['rbac.authorization.k8s.io'], apiVersions: ['v1'], resources: ['rolebindings'] }]
    const named = { metadata: { name: 'c' }, initializers: [{ name: first, rules }] }
    await it.admin.resource(InitializerConfiguration).create(named)
    const bindings = it.admin.resource(RoleBinding).in('default')
    const waiting = await bindings.create(
      {
        metadata: { name: 'b' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:unauthenticated' }],
      },
      everything,
    )
    const nobody = { name: 'system:anonymous', uid: '', groups: ['system:unauthenticated'], extra: {} }
    const maps = mapsOf(inProcessClient(it.server, { user: nobody }))
    assert.match(await outcome(maps.get('none')), /^403/)
    await bindings.update({ ...waiting, metadata: { ...waiting.metadata, initializers: { pending: [] } } })
    assert.equal(await outcome(maps.get('none')), '404 configmaps "none" not found')
  })
})

describe('an initializer', () => {
  test('may change what nobody may change later: nobody has seen it yet', async () => {
    await using it = await startInitializingServer()
    await it.configure('c', 'pods', first)
    const pods = it.as('initializer').resource(Pod).in('default')
    const spec = { containers: [{ name: 'main', image: 'app:1' }] }
    const { metadata, ...pod } = await it.admin
      .resource(Pod)
      .in('default')
      .create({ metadata: { name: 'p' }, spec } as never, everything)
    const containers = [...pod.spec.containers, { ...pod.spec.containers[0]!, name: 'side' }]
    const done = await pods.update({
      ...pod,
      spec: { ...pod.spec, containers },
      metadata: { ...metadata, initializers: { pending: [] } },
    })
    assert.deepEqual(
      done.spec.containers.map(({ name }) => name),
      ['main', 'side'],
    )
    assert.match(
      await outcome(pods.update({ ...done, spec: pod.spec })),
      /^422 .*pod updates may not add or remove containers/,
    )
  })

  test('that never answers: the creator gets an error when his time is over, and the object goes on waiting', async () => {
    const clock = new VirtualClock()
    await using it = await startInitializingServer({ environment: environment({ clock }) })
    await it.configure('c', 'configmaps', first)
    const maps = mapsOf(it.as('writer'))
    const made = outcome(maps.create({ metadata: { name: 'a' } }))
    await found(maps, 'a')
    await clock.advance('62s')
    assert.equal(await made, '504 Timeout: server has timed out waiting for the initialization of configmaps a')
    assert.equal(await outcome(maps.get('a')), '404 configmaps "a" not found')
    await answer(mapsOf(it.as('initializer')), await maps.get('a', everything))
    assert.equal(await outcome(maps.get('a')), 'ok a')
  })

  test('that answers twice: the second answer changes nothing', async () => {
    await using it = await startInitializingServer()
    await it.configure('c', 'configmaps', first, second)
    const maps = mapsOf(it.as('initializer'))
    const object = await mapsOf(it.as('writer')).create({ metadata: { name: 'a' } }, everything)
    await answer(maps, object)
    assert.match(await outcome(answer(maps, object)), /^409 .* the object has been modified/)
    const { resourceVersion, ...metadata } = object.metadata
    const again = await answer(maps, { ...object, metadata })
    assert.deepEqual(waitingFor(again), [second])
    await answer(maps, again)
    assert.match(await outcome(answer(maps, again)), /^409/)
    assert.equal(
      await outcome(answer(maps, { ...object, metadata })),
      '422 ConfigMap "a" is invalid: metadata.initializers: Invalid value: null: field is immutable once initialization has completed',
    )
  })

  test('that answers out of turn: it is rejected, and the object waits as before', async () => {
    await using it = await startInitializingServer()
    await it.configure('c', 'configmaps', first, second)
    const maps = mapsOf(it.as('initializer'))
    const object = await mapsOf(it.as('writer')).create({ metadata: { name: 'a' } }, everything)
    const early = { ...object.metadata, initializers: { pending: [{ name: first }] } }
    const refusal = (names: string) =>
      `422 ConfigMap "a" is invalid: metadata.initializers.pending: Invalid value: ${names}: only the first pending initializer may be removed`
    assert.equal(await outcome(maps.update({ ...object, metadata: early })), refusal('["first.example.com"]'))
    const patch = { metadata: { initializers: null } }
    assert.equal(await outcome(maps.patch('a', 'merge', patch)), refusal('[]'))
    assert.deepEqual(waitingFor(await maps.get('a', everything)), [first, second])
  })

  test('that dies in the middle: whoever takes its place finds the object as it was left', async () => {
    await using it = await startInitializingServer()
    await it.configure('c', 'configmaps', first)
    const made = mapsOf(it.as('writer')).create({ metadata: { name: 'a' } })
    const dying = it.as('initializer', 'https')
    const half = await found(mapsOf(dying), 'a')
    await mapsOf(dying).update({ ...half, data: { done: 'half' } })
    dying.close()
    const next = mapsOf(it.as('initializer', 'https'))
    const left = await found(next, 'a')
    assert.deepEqual([left.data, waitingFor(left)], [{ done: 'half' }, [first]])
    await answer(next, left, { data: { done: 'all' } })
    assert.deepEqual((await made).data, { done: 'all' })
  })

  test('that is taken out of the configuration: objects that wait go on waiting, new ones do not', async () => {
    await using it = await startInitializingServer()
    await it.configure('c', 'configmaps', first)
    const maps = mapsOf(it.as('writer'))
    const made = maps.create({ metadata: { name: 'a' } })
    const object = await found(maps, 'a')
    await it.admin.resource(InitializerConfiguration).delete('c')
    assert.equal(await outcome(maps.create({ metadata: { name: 'b' } })), 'ok b')
    assert.deepEqual(waitingFor(await maps.get('a', everything)), [first])
    await answer(mapsOf(it.as('initializer')), object)
    assert.equal(await outcome(made), 'ok a')
  })

  test('that fails says why: the creator is told, and the object is gone, whatever its finalizers', async () => {
    await using it = await startInitializingServer()
    await it.configure('c', 'configmaps', first)
    const maps = mapsOf(it.as('writer'))
    const { resourceVersion } = await maps.list()
    const seenByAll = watched(maps, { ...everything, resourceVersion }, 3)
    const made = outcome(maps.create({ metadata: { name: 'a', finalizers: ['example.com/hold'] } }))
    const object = await found(maps, 'a')
    const result = { status: 'Failure', message: 'not like this', reason: 'Forbidden', code: 403 } as never
    const initializers = { ...object.metadata.initializers!, result }
    const told = await mapsOf(it.as('initializer')).update({
      ...object,
      metadata: { ...object.metadata, initializers },
    })
    assert.equal(told.metadata.initializers?.result?.message, 'not like this')
    assert.equal(await made, '403 not like this')
    assert.equal(await outcome(maps.get('a', everything)), '404 configmaps "a" not found')
    assert.deepEqual(await seenByAll, ['ADDED a', 'MODIFIED a', 'DELETED a'])
    const unattended = await maps.create({ metadata: { name: 'b' } }, everything)
    const failed = { ...unattended.metadata, initializers: { ...unattended.metadata.initializers!, result } }
    await mapsOf(it.as('initializer')).update({ ...unattended, metadata: failed })
    assert.equal(await outcome(maps.get('b', everything)), '404 configmaps "b" not found')
  })

  test('is rejected without the verb, and so is everybody else who would change the object or its parts', async () => {
    await using it = await startInitializingServer()
    await it.configure('c', 'pods', first)
    const pods = it.as('writer').resource(Pod).in('default')
    const spec = { containers: [{ name: 'main', image: 'app:1' }] }
    const object = await pods.create({ metadata: { name: 'p' }, spec } as never, everything)
    const denied = /^403 pods "p" is forbidden: update to uninitialized resource denied: /
    const complete = { ...object, metadata: { ...object.metadata, initializers: { pending: [] } } }
    assert.match(await outcome(pods.update(complete)), denied)
    assert.match(await outcome(pods.patch('p', 'merge', { metadata: { labels: { a: 'b' } } })), denied)
    assert.match(await outcome(pods.subresource('status').update(complete)), denied)
    const initializers = it.as('initializer').resource(Pod).in('default')
    const labelled = await initializers.patch('p', 'merge', { metadata: { labels: { a: 'b' } } })
    assert.deepEqual(labelled.metadata.labels, { a: 'b' })
    const byStatus = await initializers.subresource('status').patch('p', 'merge', { metadata: { initializers: null } })
    assert.deepEqual(byStatus.metadata.initializers?.pending, [{ name: first }])
  })
})

/** As many events as are wanted, each as `ADDED a`. */
async function watched(maps: ResourceClient<ConfigMap>, options: object, count: number): Promise<readonly string[]> {
  const told: string[] = []
  for await (const { type, object } of maps.watch(options)) {
    told.push(`${type} ${object.metadata.name}`)
    if (told.length === count) break
  }
  return told
}
