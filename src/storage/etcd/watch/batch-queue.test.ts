import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WatchBatch } from '../../store.js'
import { BatchQueue } from './batch-queue.js'

const batch = (revision: number): WatchBatch => ({ revision, events: [{ type: 'delete', key: 'a', revision }] })
const mark = (revision: number): WatchBatch => ({ revision, events: [] })

test('batches come in order, to waiting readers and to later ones', async () => {
  const queue = new BatchQueue()
  const waiting = [queue.next(), queue.next()]
  for (let i = 1; i <= 4; i++) queue.push(batch(i), 10)
  assert.equal(queue.bytes, 20)
  const results = await Promise.all([...waiting, queue.next(), queue.next()])
  assert.deepEqual(
    results.map((result) => result.value.revision),
    [1, 2, 3, 4],
  )
  assert.equal(queue.bytes, 0)
})

test('of several unread progress marks only the last is kept', async () => {
  const queue = new BatchQueue()
  queue.push(mark(1), 0)
  queue.push(mark(2), 0)
  queue.push(batch(3), 1)
  queue.push(mark(4), 0)
  queue.push(mark(5), 0)
  const revisions = []
  for (let i = 0; i < 3; i++) revisions.push((await queue.next()).value.revision)
  assert.deepEqual(revisions, [2, 3, 5])
})

test('an error comes after queued batches, and once', async () => {
  const queue = new BatchQueue()
  queue.push(batch(1), 1)
  queue.end(new Error('gone'))
  queue.push(batch(2), 1)
  assert.equal((await queue.next()).value.revision, 1)
  await assert.rejects(queue.next(), /gone/)
  assert.equal((await queue.next()).done, true)
})

test('stop drops queued batches, and wakes waiting readers', async () => {
  const queue = new BatchQueue()
  queue.push(batch(1), 1)
  const emptied = queue.emptied()
  queue.end(new Error('nobody took this'))
  queue.stop(undefined)
  await emptied
  assert.equal((await queue.next()).done, true)
  const other = new BatchQueue()
  const waiting = assert.rejects(other.next(), /closed/)
  other.stop(new Error('closed'))
  await waiting
})

test('emptied resolves when everything is read', async () => {
  const queue = new BatchQueue()
  await queue.emptied()
  queue.push(batch(1), 1)
  queue.push(batch(2), 1)
  let emptied = false
  const waiting = queue.emptied().then(() => {
    emptied = true
  })
  await queue.next()
  await Promise.resolve()
  assert.equal(emptied, false)
  await queue.next()
  await waiting
})
