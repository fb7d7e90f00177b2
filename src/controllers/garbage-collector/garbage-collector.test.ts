import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ConfigMap } from '../../api/core/v1/config-map.js'
import { Event } from '../../api/core/v1/event.js'
import { Namespace } from '../../api/core/v1/namespace.js'
import { Secret } from '../../api/core/v1/secret.js'
import type { ObjectMeta, OwnerReference } from '../../api/meta/v1/object-meta.js'
import { ClusterRole } from '../../api/rbac/v1/cluster-role.js'
import type { DeleteOptions } from '../../client/options.js'
import type { Transport } from '../../client/transport.js'
import { Trial } from '../trial.test.kit.js'

const controllers = ['garbage-collector-controller']

describe('what an owner leaves behind', () => {
  for (const policy of ['Background', 'Foreground'] as const)
    test(`goes with it: ${policy}`, async () => {
      await using trial = await Trial.begin({ controllers })
      const { make, remove, left } = configMaps(trial)
      const owner = await make('owner')
      const middle = await make('middle', [owner])
      await make('leaf', [middle])
      await make('bystander')
      await remove('owner', policy)
      assert.deepEqual(await left(), ['bystander'])
    })

  test('stays without an owner: Orphan', async () => {
    await using trial = await Trial.begin({ controllers })
    const { make, remove, left } = configMaps(trial)
    const owner = await make('owner')
    const other = await make('other')
    await make('one', [owner])
    await make('two', [owner, other])
    await remove('owner', 'Orphan')
    assert.deepEqual(await left(), ['one', 'other', 'two of other'])
  })

  test('stays with another owner', async () => {
    await using trial = await Trial.begin({ controllers })
    const { make, remove, left } = configMaps(trial)
    const owner = await make('owner')
    const other = await make('other')
    await make('shared', [owner, other])
    await remove('owner', 'Background')
    assert.deepEqual(await left(), ['other', 'shared of other'])
    await remove('other', 'Foreground')
    assert.deepEqual(await left(), [])
  })

  test('is found after a restart, though nobody saw the owner go', async () => {
    await using trial = await Trial.begin()
    const { make, remove, left } = configMaps(trial)
    const owner = await make('owner')
    await make('dependent', [owner])
    await remove('owner', 'Background')
    assert.deepEqual(await left(), ['dependent of owner'])
    trial.start({ controllers })
    await trial.clock.settle()
    assert.deepEqual(await left(), [])
  })
})

describe('an owner that is deleted in the foreground', () => {
  const held = ['example.com/hold']

  test('waits for the dependents that block it, and for no others', async () => {
    await using trial = await Trial.begin({ controllers })
    const { make, remove, left, free, metadata } = configMaps(trial)
    const owner = await make('owner')
    await make('blocking', [owner], held)
    await make('loose', [{ ...owner, blockOwnerDeletion: false }], held)
    await remove('owner', 'Foreground')
    for (const name of ['owner', 'blocking', 'loose']) assert.ok((await metadata(name)).deletionTimestamp, name)
    assert.deepEqual((await metadata('owner')).finalizers, ['foregroundDeletion'])
    await free('blocking')
    assert.deepEqual(await left(), ['loose of owner'])
    await free('loose')
    assert.deepEqual(await left(), [])
  })

  test('waits for the dependents of its dependents, too', async () => {
    await using trial = await Trial.begin({ controllers })
    const { make, remove, left, free, metadata } = configMaps(trial)
    const owner = await make('owner')
    const middle = await make('middle', [owner])
    await make('leaf', [middle], held)
    await remove('owner', 'Foreground')
    assert.deepEqual((await metadata('middle')).finalizers, ['foregroundDeletion'])
    assert.deepEqual(await left(), ['leaf of middle', 'middle of owner', 'owner'])
    await free('leaf')
    assert.deepEqual(await left(), [])
  })

  test('takes what is made for it meanwhile along', async () => {
    await using trial = await Trial.begin({ controllers })
    const { make, remove, left, free } = configMaps(trial)
    const owner = await make('owner')
    await make('first', [owner], held)
    await remove('owner', 'Foreground')
    await make('late', [owner])
    assert.deepEqual(await left(), ['first of owner', 'owner'])
    await free('first')
    assert.deepEqual(await left(), [])
  })

  test('releases a dependent that another owner keeps', async () => {
    await using trial = await Trial.begin({ controllers })
    const { make, remove, left } = configMaps(trial)
    const owner = await make('owner')
    const other = await make('other')
    await make('shared', [owner, other])
    await remove('owner', 'Foreground')
    assert.deepEqual(await left(), ['other', 'shared of other'])
  })

  for (const size of [1, 2, 3, 5])
    test(`goes though it is among its own owners: a circle of ${size}`, async () => {
      await using trial = await Trial.begin({ controllers })
      const { remove, left, makeCircle } = configMaps(trial)
      await makeCircle(size)
      await remove('c0', 'Foreground')
      assert.deepEqual(await left(), [])
    })

  test('goes though all of a circle were deleted so at the same time', async () => {
    await using trial = await Trial.begin()
    const { remove, left, makeCircle } = configMaps(trial)
    await makeCircle(3)
    for (const name of ['c0', 'c1', 'c2']) await remove(name, 'Foreground')
    assert.equal((await left()).length, 3)
    trial.start({ controllers })
    await trial.clock.settle()
    assert.deepEqual(await left(), [])
  })
})

describe('an owner that is not where it is said to be', () => {
  test('in another namespace counts for nothing, and that is told', async () => {
    await using trial = await Trial.begin({ controllers })
    const { client, clock } = trial
    await client.resource(Namespace).create({ metadata: { name: 'other' } })
    const owner = await configMaps(trial).make('owner')
    await configMaps(trial).make('here', [owner])
    const misled = await configMaps(trial, 'other').make('there', [owner])
    assert.deepEqual(await configMaps(trial).left(), ['here of owner', 'owner'])
    assert.deepEqual(await configMaps(trial, 'other').left(), [])
    await clock.advance('1s')
    const { items } = await client.resource(Event).in('other').list()
    assert.deepEqual(
      items.map(({ type, reason, message, source, involvedObject: { kind, name, uid } }) => ({
        ...{ type, reason, message, source },
        ...{ kind, name, uid },
      })),
      [
        {
          type: 'Warning',
          reason: 'OwnerRefInvalidNamespace',
          message: `ownerRef [v1/ConfigMap, namespace: other, name: owner, uid: ${owner.uid}] does not exist in namespace "other"`,
          source: { component: 'garbage-collector-controller' },
          kind: 'ConfigMap',
          name: 'there',
          uid: misled.uid,
        },
      ],
    )
  })

  test('of something without a namespace decides nothing', async () => {
    await using trial = await Trial.begin({ controllers })
    const { client, clock } = trial
    const { make, remove } = configMaps(trial)
    const owner = await make('owner')
    const roles = client.resource(ClusterRole)
    await roles.create({ metadata: { name: 'misled', ownerReferences: [owner] } })
    await roles.create({ metadata: { name: 'lost', ownerReferences: [{ ...owner, uid: 'never-was' }] } })
    await clock.settle()
    await remove('owner', 'Background')
    await clock.advance('5m')
    assert.ok(await roles.get('lost'))
    assert.ok(await roles.get('misled'))
  })

  test('may be said so by one and rightly by another: only the one is misled', async () => {
    await using trial = await Trial.begin({ controllers })
    const { make, left } = configMaps(trial)
    const owner = await make('owner')
    await make('wrong-name', [{ ...owner, name: 'someone' }])
    await make('wrong-kind', [{ ...owner, kind: 'Secret' }])
    await make('right', [owner])
    assert.deepEqual(await left(), ['owner', 'right of owner'])
  })

  test('of a kind that nobody knows is waited for', async () => {
    await using trial = await Trial.begin({ controllers })
    const { make, left } = configMaps(trial)
    await make('waiting', [{ apiVersion: 'example.com/v1', kind: 'Widget', name: 'w', uid: 'w-1' }])
    await trial.clock.advance('1h')
    assert.deepEqual(await left(), ['waiting of w'])
  })

  test('in a version that is not served any more is the one in another version', async () => {
    await using trial = await Trial.begin({ controllers })
    const { client, clock } = trial
    const { make, left } = configMaps(trial)
    const roles = client.resource(ClusterRole)
    const { metadata } = await roles.create({ metadata: { name: 'owner' } })
    await make('dependent', [
      { apiVersion: 'rbac.authorization.k8s.io/v1beta1', kind: 'ClusterRole', name: 'owner', uid: metadata.uid! },
    ])
    await clock.advance('1m')
    assert.deepEqual(await left(), ['dependent of owner'])
    await roles.delete('owner')
    await clock.settle()
    assert.deepEqual(await left(), [])
  })

  test('though of the right name, is not the one that was meant', async () => {
    await using trial = await Trial.begin({ controllers })
    const { make, left } = configMaps(trial)
    const owner = await make('owner')
    await make('of-another', [{ ...owner, uid: 'an-earlier-one' }])
    assert.deepEqual(await left(), ['owner'])
  })
})

describe('what is judged', () => {
  test('is not judged before all kinds are known: dependents may be of one that is read last', async () => {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const slowToShow = (inner: Transport): Transport => ({
      ...inner,
      async send(request) {
        if (request.path.endsWith('/secrets')) await released
        return inner.send(request)
      },
    })
    await using trial = await Trial.begin()
    const { client, clock } = trial
    const { make, remove, left } = configMaps(trial)
    const owner = await make('owner')
    await client.resource(Secret).create({ metadata: { name: 'kept', namespace: 'default', ownerReferences: [owner] } })
    await remove('owner', 'Orphan')
    trial.start({ controllers, informersTransport: slowToShow })
    await clock.advance('9s')
    assert.deepEqual(await left(), ['owner'])
    release()
    await clock.settle()
    assert.deepEqual(await left(), [])
    const { metadata } = await client.resource(Secret).in('default').get('kept')
    assert.equal(metadata.ownerReferences, undefined)
  })

  test('stays if it finds another owner at the last moment', async () => {
    let change = async (_: string) => {}
    await using trial = await Trial.begin({ controllers, transport: justBeforeDeletions((name) => change(name)) })
    const { make, remove, left } = configMaps(trial)
    const [owner, other] = [await make('owner'), await make('other')]
    await make('dependent', [owner])
    change = async (name) => {
      change = async () => {}
      const ownerReferences = [owner, other]
      await trial.client.resource(ConfigMap).in('default').patch(name, 'merge', { metadata: { ownerReferences } })
    }
    await remove('owner', 'Background')
    assert.deepEqual(await left(), ['dependent of other', 'other'])
  })

  test('goes though somebody changes it all the time', async () => {
    let count = 0
    const labelled = (name: string) => {
      const labels = { count: `${++count}` }
      return trial.client.resource(ConfigMap).in('default').patch(name, 'merge', { metadata: { labels } })
    }
    await using trial = await Trial.begin({ controllers, transport: justBeforeDeletions(labelled) })
    const { make, remove, left } = configMaps(trial)
    await make('dependent', [await make('owner')])
    await remove('owner', 'Background')
    assert.deepEqual(await left(), [])
    assert.equal(count, 2)
  })
})

/** Somebody else is a moment faster than the collector. */
function justBeforeDeletions(act: (name: string) => Promise<unknown>): (inner: Transport) => Transport {
  return (inner) => ({
    ...inner,
    async send(request) {
      if (request.method === 'DELETE') await act(request.path.split('/').pop()!)
      return inner.send(request)
    },
  })
}

test('a cluster in which nothing happens is left in peace', async () => {
  const requests: string[] = []
  const transport = (inner: Transport): Transport => ({
    ...inner,
    send(request) {
      requests.push(`${request.method} ${request.path}`)
      return inner.send(request)
    },
  })
  await using trial = await Trial.begin({ controllers, transport })
  const { make } = configMaps(trial)
  const owner = await make('owner')
  for (let i = 0; i < 20; i++) await make(`dependent-${i}`, [owner])
  await trial.clock.advance('1m')
  assert.deepEqual([...new Set(requests)], ['GET /api', 'GET /apis'])
})

type Made = OwnerReference

function configMaps({ client, clock }: Trial, namespace = 'default') {
  const resource = client.resource(ConfigMap).in(namespace)
  const make = async (name: string, owners: readonly Made[] = [], finalizers: readonly string[] = []) => {
    const { metadata } = await resource.create({ metadata: { name, ownerReferences: owners, finalizers } })
    await clock.settle()
    return { apiVersion: 'v1', kind: 'ConfigMap', name, uid: metadata.uid!, blockOwnerDeletion: true }
  }
  return {
    make,
    /** `c0` owns `c1`, which owns `c2` …, the last of which owns `c0`. */
    async makeCircle(size: number): Promise<void> {
      const first = await make('c0')
      let last = first
      for (let i = 1; i < size; i++) last = await make(`c${i}`, [last])
      await resource.patch('c0', 'merge', { metadata: { ownerReferences: [last] } })
      await clock.settle()
    },
    async remove(name: string, propagationPolicy: DeleteOptions['propagationPolicy']): Promise<void> {
      await resource.delete(name, { propagationPolicy: propagationPolicy! })
      await clock.settle()
    },
    /** Lets go of what its finalizers held. */
    async free(name: string): Promise<void> {
      await resource.patch(name, 'merge', { metadata: { finalizers: null } })
      await clock.settle()
    },
    async metadata(name: string): Promise<ObjectMeta> {
      return (await resource.get(name)).metadata
    },
    async left(): Promise<readonly string[]> {
      const { items } = await resource.list()
      return items.map(({ metadata: { name, ownerReferences = [] } }) =>
        ownerReferences.length === 0 ? name! : `${name} of ${ownerReferences.map((owner) => owner.name)}`,
      )
    },
  }
}
