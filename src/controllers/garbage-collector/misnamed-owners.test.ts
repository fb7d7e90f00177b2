import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Event } from '../../api/core/v1/event.js'
import { Namespace } from '../../api/core/v1/namespace.js'
import { ClusterRole } from '../../api/rbac/v1/cluster-role.js'
import { ControllerHarness } from '../harness.test.kit.js'
import { configMaps, controllers } from './config-maps.test.kit.js'

describe('an owner that is not where it is said to be', () => {
  test('in another namespace counts for nothing, and that is told', async () => {
    await using harness = await ControllerHarness.begin({ controllers })
    const { client, clock } = harness
    await client.resource(Namespace).create({ metadata: { name: 'other' } })
    const owner = await configMaps(harness).make('owner')
    await configMaps(harness).make('here', [owner])
    const misled = await configMaps(harness, 'other').make('there', [owner])
    assert.deepEqual(await configMaps(harness).left(), ['here of owner', 'owner'])
    assert.deepEqual(await configMaps(harness, 'other').left(), [])
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
    await using harness = await ControllerHarness.begin({ controllers, brokenRules: ['owners exist'] })
    const { client, clock } = harness
    const { make, remove } = configMaps(harness)
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
    await using harness = await ControllerHarness.begin({ controllers })
    const { make, left } = configMaps(harness)
    const owner = await make('owner')
    await make('wrong-name', [{ ...owner, name: 'someone' }])
    await make('wrong-kind', [{ ...owner, kind: 'Secret' }])
    await make('right', [owner])
    assert.deepEqual(await left(), ['owner', 'right of owner'])
  })

  test('of a kind that nobody knows is waited for', async () => {
    await using harness = await ControllerHarness.begin({ controllers, brokenRules: ['owners exist'] })
    const { make, left } = configMaps(harness)
    await make('waiting', [{ apiVersion: 'example.com/v1', kind: 'Widget', name: 'w', uid: 'w-1' }])
    await harness.clock.advance('1h')
    assert.deepEqual(await left(), ['waiting of w'])
  })

  test('in a version that is not served any more is the one in another version', async () => {
    await using harness = await ControllerHarness.begin({ controllers })
    const { client, clock } = harness
    const { make, left } = configMaps(harness)
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
    await using harness = await ControllerHarness.begin({ controllers })
    const { make, left } = configMaps(harness)
    const owner = await make('owner')
    await make('of-another', [{ ...owner, uid: 'an-earlier-one' }])
    assert.deepEqual(await left(), ['owner'])
  })
})
