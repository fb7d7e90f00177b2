import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slowStart } from './slow-start.js'

/** How many were begun at once, each time. */
async function batches(count: number, failsAt = Number.POSITIVE_INFINITY): Promise<readonly number[]> {
  const sizes: number[] = []
  let under = 0
  const make = async (index: number) => {
    if (under++ === 0) sizes.push(0)
    sizes.push(sizes.pop()! + 1)
    await new Promise((resolve) => setImmediate(resolve))
    under--
    if (index >= failsAt) throw new Error(`no room for ${index}`)
  }
  await slowStart(count, make).catch((error: Error) => assert.equal(error.message, `no room for ${failsAt}`))
  return sizes
}

test('batches are of one, two, four … until all is done', async () => {
  assert.deepEqual(await batches(0), [])
  assert.deepEqual(await batches(1), [1])
  assert.deepEqual(await batches(7), [1, 2, 4])
  assert.deepEqual(await batches(10), [1, 2, 4, 3])
  assert.deepEqual(await batches(500), [1, 2, 4, 8, 16, 32, 64, 128, 245])
})

test('after a failure the batch is ended and no other is begun', async () => {
  assert.deepEqual(await batches(500, 0), [1])
  assert.deepEqual(await batches(500, 3), [1, 2, 4])
})
