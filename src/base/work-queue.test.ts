import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Clock, sleep } from './clock.js'
import { environment } from './environment.js'
import { seededRandom } from './random.js'
import type { RateLimiter } from './rate-limiter.js'
import { VirtualClock } from './virtual-clock.js'
import { WorkQueue, type WorkQueueOptions } from './work-queue.js'

function queueWithClock(options?: WorkQueueOptions<string>) {
  const clock = new VirtualClock()
  const env = environment({ clock, random: seededRandom(1) })
  return { clock, env, queue: new WorkQueue<string>(env, options) }
}

/** Processes every key for `duration`, and records when. */
async function work(queue: WorkQueue<string>, clock: Clock, duration: number, signal?: AbortSignal): Promise<string[]> {
  const seen: string[] = []
  for await (const key of queue.keys(signal)) {
    seen.push(`${key} at ${clock.monotonic()}`)
    await sleep(clock, duration)
  }
  return seen
}

test('a key that is added several times is handed out once', async () => {
  const { queue } = queueWithClock()
  for (const key of ['a', 'b', 'a', 'a']) queue.add(key)
  assert.equal(queue.size, 2)
  assert.equal(await queue.take(), 'a')
  assert.equal(await queue.take(), 'b')
  assert.equal(queue.size, 0)
})

test('a key that is added while it is processed is handed out again, after it is done', async () => {
  const { queue } = queueWithClock()
  queue.add('a')
  assert.equal(await queue.take(), 'a')
  queue.add('a')
  queue.add('a')
  queue.add('b')
  assert.equal(await queue.take(), 'b')
  queue.done('a')
  assert.equal(await queue.take(), 'a')
  queue.done('a')
  assert.equal(queue.size, 0)
})

test('a waiting taker gets a key that was added again and is now done', async () => {
  const { queue } = queueWithClock()
  queue.add('a')
  await queue.take()
  queue.add('a')
  const waiting = queue.take()
  queue.done('a')
  assert.equal(await waiting, 'a')
})

test('done throws for a key that is not processed', async () => {
  const { queue } = queueWithClock()
  queue.add('a')
  assert.throws(() => queue.done('a'), /key a is not being processed/)
  await queue.take()
  queue.done('a')
  assert.throws(() => queue.done('a'), /key a is not being processed/)
})

test('keys of higher priority come first, equal ones in the order of adding', async () => {
  const { queue } = queueWithClock()
  queue.add('low', { priority: -1 })
  queue.add('one')
  queue.add('high', { priority: 1 })
  queue.add('two')
  queue.add('raised')
  queue.add('raised', { priority: 2 })
  queue.add('high', { priority: -5 })
  const taken = []
  while (queue.size > 0) taken.push(await queue.take())
  assert.deepEqual(taken, ['raised', 'high', 'one', 'two', 'low'])
})

test('a priority that was raised during processing counts afterwards', async () => {
  const { queue } = queueWithClock()
  queue.add('a')
  await queue.take()
  queue.add('b')
  queue.add('a')
  queue.add('a', { priority: 1 })
  queue.done('a')
  assert.equal(await queue.take(), 'a')
})

test('takers are served in the order of their calls', async () => {
  const { queue } = queueWithClock()
  const taken = Promise.all([queue.take(), queue.take(), queue.take()])
  for (const key of ['a', 'b', 'c']) queue.add(key)
  assert.deepEqual(await taken, ['a', 'b', 'c'])
})

test('several workers share the keys', async () => {
  const { clock, queue } = queueWithClock()
  const workers = [work(queue, clock, 10), work(queue, clock, 10)]
  for (const key of ['a', 'b', 'c', 'd', 'e']) queue.add(key)
  const closed = queue.close({ drain: true })
  await clock.advance('1m')
  await closed
  assert.deepEqual(await Promise.all(workers), [
    ['a at 0', 'c at 10', 'e at 20'],
    ['b at 0', 'd at 10'],
  ])
})

test('leaving the loop, or an error in it, marks its key as done', async () => {
  const { queue } = queueWithClock()
  queue.add('a')
  for await (const key of queue.keys()) {
    queue.add(key)
    break
  }
  const failing = async () => {
    for await (const key of queue.keys()) {
      queue.add(key)
      throw new Error(`cannot do ${key}`)
    }
  }
  await assert.rejects(failing(), /cannot do a/)
  assert.equal(await queue.take(), 'a')
})

test('an aborted taker takes no key', async () => {
  const { queue } = queueWithClock()
  const abort = new AbortController()
  const aborted = queue.take(abort.signal)
  const other = queue.take()
  abort.abort()
  queue.add('a')
  assert.equal(await aborted, undefined)
  assert.equal(await other, 'a')
  queue.add('b')
  assert.equal(await queue.take(abort.signal), undefined)
  assert.equal(await queue.take(), 'b')
})

test('an abort ends a loop after the current key', async () => {
  const { clock, queue } = queueWithClock()
  const abort = new AbortController()
  const worker = work(queue, clock, 10, abort.signal)
  queue.add('a')
  queue.add('b')
  await clock.advance(5)
  abort.abort()
  await clock.advance(10)
  assert.deepEqual(await worker, ['a at 0'])
  assert.equal(queue.size, 1)
})

test('a delayed key comes when it is due, unless it is added earlier', async () => {
  const { clock, queue } = queueWithClock()
  const worker = work(queue, clock, 0)
  queue.addAfter('at once', 0)
  queue.addAfter('later', 100)
  queue.addAfter('sooner', 100)
  queue.addAfter('sooner', 50)
  queue.addAfter('twice', 70)
  queue.add('twice')
  assert.equal(queue.size, 1)
  await clock.advance('1h')
  await queue.close()
  assert.deepEqual(await worker, ['at once at 0', 'twice at 0', 'sooner at 50', 'twice at 70', 'later at 100'])
})

test('a failing key is delayed more each time, until it is forgotten', async () => {
  const { clock, queue } = queueWithClock()
  const times: number[] = []
  const worker = async () => {
    for await (const key of queue.keys()) {
      times.push(clock.monotonic())
      if (times.length === 4) queue.forget(key)
      if (times.length < 6) queue.addRateLimited(key)
    }
  }
  void worker()
  queue.add('a')
  await clock.advance('1h')
  assert.deepEqual(times, [0, 5, 15, 35, 40, 50])
  assert.equal(queue.failures('a'), 2)
})

test('the limiter can be chosen', async () => {
  const limiter: RateLimiter = { next: (key) => key.length * 1000, failures: () => 7, forget: () => {} }
  const { clock, queue } = queueWithClock({ limiter })
  const worker = work(queue, clock, 0)
  queue.addRateLimited('abc')
  assert.equal(queue.failures('abc'), 7)
  await clock.advance('1h')
  await queue.close()
  assert.deepEqual(await worker, ['abc at 3000'])
})

test('close drops waiting keys, ends takers, and resolves when running work is done', async () => {
  const { clock, queue } = queueWithClock()
  const workers = [work(queue, clock, 10), work(queue, clock, 20)]
  for (const key of ['a', 'b']) queue.add(key)
  await clock.settle()
  queue.add('a')
  queue.addAfter('c', 5)
  const idle = queue.take()
  let closed = false
  const closing = queue.close().then(() => {
    closed = true
  })
  assert.equal(await idle, undefined)
  assert.equal(queue.size, 0)
  assert.equal(clock.pending, workers.length)
  await clock.advance(19)
  assert.equal(closed, false)
  await clock.advance(1)
  await closing
  assert.deepEqual(await Promise.all(workers), [['a at 0'], ['b at 0']])
})

test('drain hands out waiting keys, even one that comes back from its worker', async () => {
  const { clock, queue } = queueWithClock()
  const worker = work(queue, clock, 10)
  queue.add('a')
  await clock.settle()
  queue.add('b')
  queue.add('a')
  const other = queue.take()
  const closing = queue.close({ drain: true })
  await clock.advance('1m')
  assert.equal(await other, 'b')
  queue.done('b')
  await closing
  assert.deepEqual(await worker, ['a at 0', 'a at 10'])
})

test('a closed queue accepts and returns nothing', async () => {
  const { clock, queue } = queueWithClock()
  await queue.close()
  await queue.close({ drain: true })
  queue.add('a')
  queue.addAfter('b', 10)
  queue.addRateLimited('c')
  assert.deepEqual([queue.size, queue.failures('c'), clock.pending], [0, 0, 0])
  assert.equal(await queue.take(), undefined)
})

test('a queue can be disposed', async () => {
  const { queue } = queueWithClock()
  {
    await using scoped = queue
    scoped.add('a')
  }
  assert.equal(await queue.take(), undefined)
})

test("a queue with a name has upstream's metrics", async () => {
  const { clock, env, queue } = queueWithClock({ name: 'loop' })
  queue.add('a')
  queue.add('a')
  queue.add('b')
  queue.addAfter('c', 5000)
  await clock.advance('1s')
  await queue.take()
  await clock.advance('2s')
  queue.done('a')
  const lines = (await env.metrics.text()).split('\n')
  for (const line of [
    'workqueue_depth{name="loop"} 1',
    'workqueue_adds_total{name="loop"} 2',
    'workqueue_retries_total{name="loop"} 1',
    'workqueue_queue_duration_seconds_sum{name="loop"} 1',
    'workqueue_queue_duration_seconds_count{name="loop"} 1',
    'workqueue_work_duration_seconds_sum{name="loop"} 2',
    'workqueue_work_duration_seconds_bucket{le="1e-8",name="loop"} 0',
    'workqueue_work_duration_seconds_bucket{le="1000",name="loop"} 1',
  ])
    assert.ok(lines.includes(line), `${line} is missing in:\n${lines.join('\n')}`)
})
