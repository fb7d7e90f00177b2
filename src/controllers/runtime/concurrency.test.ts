import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forEachConcurrently } from './concurrency.js'

test('no more items than the limit are handled at the same time', async () => {
  let underWay = 0
  let most = 0
  const done: number[] = []
  await forEachConcurrently([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
    most = Math.max(most, ++underWay)
    await new Promise((resolve) => setImmediate(resolve))
    underWay--
    done.push(item)
  })
  assert.equal(most, 3)
  assert.deepEqual(done, [1, 2, 3, 4, 5, 6, 7])
})

test('a failure does not stop the other items, and is thrown at the end', async () => {
  const done: number[] = []
  const doing = forEachConcurrently([1, 2, 3, 4], 2, async (item) => {
    if (item % 2 === 1) throw new Error(`${item} failed`)
    done.push(item)
  })
  await assert.rejects(doing, /^Error: 1 failed$/)
  assert.deepEqual(done, [2, 4])
})
