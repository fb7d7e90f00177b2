import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Transport } from '../../client/transport.js'
import { ControllerHarness } from '../harness.test.kit.js'
import { configMaps, controllers } from './config-maps.test.kit.js'

describe('what an owner leaves behind', () => {
  for (const policy of ['Background', 'Foreground'] as const)
    test(`goes with it: ${policy}`, async () => {
      await using harness = await ControllerHarness.begin({ controllers })
      const { make, remove, left } = configMaps(harness)
      const owner = await make('owner')
      const middle = await make('middle', [owner])
      await make('leaf', [middle])
      await make('bystander')
      await remove('owner', policy)
      assert.deepEqual(await left(), ['bystander'])
    })

  test('stays without an owner: Orphan', async () => {
    await using harness = await ControllerHarness.begin({ controllers })
    const { make, remove, left } = configMaps(harness)
    const owner = await make('owner')
    const other = await make('other')
    await make('one', [owner])
    await make('two', [owner, other])
    await remove('owner', 'Orphan')
    assert.deepEqual(await left(), ['one', 'other', 'two of other'])
  })

  test('stays with another owner', async () => {
    await using harness = await ControllerHarness.begin({ controllers })
    const { make, remove, left } = configMaps(harness)
    const owner = await make('owner')
    const other = await make('other')
    await make('shared', [owner, other])
    await remove('owner', 'Background')
    assert.deepEqual(await left(), ['other', 'shared of other'])
    await remove('other', 'Foreground')
    assert.deepEqual(await left(), [])
  })

  test('is found after a restart, though nobody saw the owner go', async () => {
    await using harness = await ControllerHarness.begin()
    const { make, remove, left } = configMaps(harness)
    const owner = await make('owner')
    await make('dependent', [owner])
    await remove('owner', 'Background')
    assert.deepEqual(await left(), ['dependent of owner'])
    harness.start({ controllers })
    await harness.clock.settle()
    assert.deepEqual(await left(), [])
  })
})

describe('an owner that is deleted in the foreground', () => {
  const held = ['example.com/hold']

  test('waits for the dependents that block it, and for no others', async () => {
    await using harness = await ControllerHarness.begin({ controllers })
    const { make, remove, left, free, metadata } = configMaps(harness)
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
    await using harness = await ControllerHarness.begin({ controllers })
    const { make, remove, left, free, metadata } = configMaps(harness)
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
    await using harness = await ControllerHarness.begin({ controllers })
    const { make, remove, left, free } = configMaps(harness)
    const owner = await make('owner')
    await make('first', [owner], held)
    await remove('owner', 'Foreground')
    await make('late', [owner])
    assert.deepEqual(await left(), ['first of owner', 'owner'])
    await free('first')
    assert.deepEqual(await left(), [])
  })

  test('releases a dependent that another owner keeps', async () => {
    await using harness = await ControllerHarness.begin({ controllers })
    const { make, remove, left } = configMaps(harness)
    const owner = await make('owner')
    const other = await make('other')
    await make('shared', [owner, other])
    await remove('owner', 'Foreground')
    assert.deepEqual(await left(), ['other', 'shared of other'])
  })

  for (const size of [1, 2, 3, 5])
    test(`goes though it is among its own owners: a circle of ${size}`, async () => {
      await using harness = await ControllerHarness.begin({ controllers })
      const { remove, left, makeCircle } = configMaps(harness)
      await makeCircle(size)
      await remove('c0', 'Foreground')
      assert.deepEqual(await left(), [])
    })

  test('goes though all of a circle were deleted so at the same time', async () => {
    await using harness = await ControllerHarness.begin()
    const { remove, left, makeCircle } = configMaps(harness)
    await makeCircle(3)
    for (const name of ['c0', 'c1', 'c2']) await remove(name, 'Foreground')
    assert.equal((await left()).length, 3)
    harness.start({ controllers })
    await harness.clock.settle()
    assert.deepEqual(await left(), [])
  })
})

test('a cluster in which nothing happens is left in peace', async () => {
  const requests: string[] = []
  const transport = (inner: Transport): Transport => ({
    ...inner,
    send(request) {
      requests.push(`${request.method} ${request.path}`)
      return inner.send(request)
    },
  })
  await using harness = await ControllerHarness.begin({ controllers, transport })
  const { make } = configMaps(harness)
  const owner = await make('owner')
  for (let i = 0; i < 20; i++) await make(`dependent-${i}`, [owner])
  await harness.clock.advance('1m')
  assert.deepEqual([...new Set(requests)], ['GET /api', 'GET /apis'])
})
