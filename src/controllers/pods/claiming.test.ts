import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import { Pod } from '../../api/core/v1/pod.js'
import type { Client } from '../../client/client.js'
import { startTestApiServer, type TestApiServer } from '../../testing/servers/api-server.js'
import { inProcessClient } from '../../testing/servers/clients.js'
import { createNamespace } from '../harness.test.kit.js'
import { claim } from './claiming.js'

const namespace = 'shop'

describe('of pods', () => {
  let server: TestApiServer
  let client: Client
  before(async () => {
    server = await startTestApiServer()
    client = inProcessClient(server)
    await createNamespace(client, namespace)
  })
  after(() => server.close())

  const spec = { containers: [{ name: 'main', image: 'i' }] }
  const makePod = (name: string, app: string) =>
    client.resource(Pod).create({ metadata: { name, namespace, labels: { app }, finalizers: ['keep.io/it'] }, spec })
  const makeOwner = (name: string) => {
    const template = { metadata: { labels: { app: 'web' } }, spec }
    const replicas = { replicas: 0, selector: { matchLabels: { app: 'web' } }, template }
    return client.resource(ReplicaSet).create({ metadata: { name, namespace }, spec: replicas })
  }
  const claimed = async (owner: ReplicaSet, pods: readonly Pod[], finalizers?: readonly string[]) => {
    const matches = ({ metadata }: Pod) => metadata.labels?.app === 'web'
    const given = { kind: Pod, owner, ownerKind: ReplicaSet, matches, client, ...(finalizers && { finalizers }) }
    return (await claim(pods, given)).map(({ metadata }) => metadata.name)
  }
  const read = async ({ metadata }: Pod) => (await client.resource(Pod).in(namespace).get(metadata.name!)).metadata
  const again = async (pod: Pod, app: string) =>
    client
      .resource(Pod)
      .in(namespace)
      .patch(pod.metadata.name!, 'merge', { metadata: { labels: { app } } })

  test('orphans that match are adopted, others are let be', async () => {
    const [owner, one, other] = [await makeOwner('a'), await makePod('a-1', 'web'), await makePod('a-2', 'shop')]
    assert.deepEqual(await claimed(owner, [one, other], ['tracked.io/pod']), ['a-1'])
    const { ownerReferences, finalizers } = await read(one)
    assert.deepEqual(
      ownerReferences?.map(({ uid, controller }) => [uid, controller]),
      [[owner.metadata.uid, true]],
    )
    assert.deepEqual([...finalizers!].sort(), ['keep.io/it', 'tracked.io/pod'])
    assert.equal((await read(other)).ownerReferences, undefined)
  })

  test('those that no longer match are released, and lose what they were given', async () => {
    const [owner, pod] = [await makeOwner('b'), await makePod('b-1', 'web')]
    await claimed(owner, [pod], ['tracked.io/pod'])
    assert.deepEqual(await claimed(owner, [await again(pod, 'gone')], ['tracked.io/pod']), [])
    const { ownerReferences, finalizers } = await read(pod)
    assert.deepEqual([ownerReferences, finalizers], [undefined, ['keep.io/it']])
  })

  test('each goes to one of two owners who want it at the same time', async () => {
    const [left, right] = [await makeOwner('c'), await makeOwner('d')]
    const pods = await Promise.all(['1', '2', '3', '4'].map((number) => makePod(`c-${number}`, 'web')))
    const results = await Promise.allSettled([claimed(left, pods), claimed(right, [...pods].reverse())])
    assert.ok(results.some(({ status }) => status === 'rejected'))
    for (const pod of pods) {
      const { ownerReferences } = await read(pod)
      assert.equal(ownerReferences?.length, 1)
      assert.ok([left, right].some(({ metadata }) => metadata.uid === ownerReferences[0]!.uid))
    }
  })

  test('none is adopted by an owner who is going, or gone, though the informer does not know it yet', async () => {
    const owner = await makeOwner('e')
    const pod = await makePod('e-1', 'web')
    await client
      .resource(ReplicaSet)
      .in(namespace)
      .patch('e', 'merge', { metadata: { finalizers: ['keep.io/it'] } })
    await client.resource(ReplicaSet).in(namespace).delete('e')
    await assert.rejects(
      claimed(owner, [pod]),
      /^Error: can't adopt Pod shop\/e-1 \(.*\): shop\/e has just been deleted at /,
    )
    await client
      .resource(ReplicaSet)
      .in(namespace)
      .patch('e', 'merge', { metadata: { finalizers: null } })
    const next = await makeOwner('e')
    await assert.rejects(claimed(owner, [pod]), (error: Error) =>
      error.message.endsWith(
        `original ReplicaSet shop/e is gone: got uid ${next.metadata.uid}, wanted ${owner.metadata.uid}`,
      ),
    )
    assert.equal((await read(pod)).ownerReferences, undefined)
  })

  test('one that was replaced by another of the same name is not touched', async () => {
    const [owner, pod] = [await makeOwner('f'), await makePod('f-1', 'web')]
    const stale = { ...pod, metadata: { ...pod.metadata, uid: '00000000-0000-0000-0000-000000000000' } }
    await assert.rejects(claimed(owner, [stale]))
    assert.equal((await read(pod)).ownerReferences, undefined)
  })

  test('one that has gone meanwhile is as good as none', async () => {
    const [owner, pod] = [await makeOwner('g'), await makePod('g-1', 'web')]
    await client
      .resource(Pod)
      .in(namespace)
      .patch('g-1', 'merge', { metadata: { finalizers: null } })
    await client.resource(Pod).in(namespace).delete('g-1', { gracePeriodSeconds: 0 })
    assert.deepEqual(await claimed(owner, [pod]), [])
  })
})
