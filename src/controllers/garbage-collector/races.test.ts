import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ConfigMap } from '../../api/core/v1/config-map.js'
import { Secret } from '../../api/core/v1/secret.js'
import type { Transport } from '../../client/transport.js'
import { ControllerHarness } from '../harness.test.kit.js'
import { configMaps, controllers } from './config-maps.test.kit.js'

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
    await using harness = await ControllerHarness.begin()
    const { client, clock } = harness
    const { make, remove, left } = configMaps(harness)
    const owner = await make('owner')
    await client.resource(Secret).create({ metadata: { name: 'kept', namespace: 'default', ownerReferences: [owner] } })
    await remove('owner', 'Orphan')
    harness.start({ controllers, informersTransport: slowToShow })
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
    await using harness = await ControllerHarness.begin({
      controllers,
      transport: justBeforeDeletions((name) => change(name)),
    })
    const { make, remove, left } = configMaps(harness)
    const [owner, other] = [await make('owner'), await make('other')]
    await make('dependent', [owner])
    change = async (name) => {
      change = async () => {}
      const ownerReferences = [owner, other]
      await harness.client.resource(ConfigMap).in('default').patch(name, 'merge', { metadata: { ownerReferences } })
    }
    await remove('owner', 'Background')
    assert.deepEqual(await left(), ['dependent of other', 'other'])
  })

  test('goes though somebody changes it all the time', async () => {
    let count = 0
    const labelled = (name: string) => {
      const labels = { count: `${++count}` }
      return harness.client.resource(ConfigMap).in('default').patch(name, 'merge', { metadata: { labels } })
    }
    await using harness = await ControllerHarness.begin({ controllers, transport: justBeforeDeletions(labelled) })
    const { make, remove, left } = configMaps(harness)
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
