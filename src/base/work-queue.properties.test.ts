import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sleep } from './clock.js'
import { environment } from './environment.js'
import { type Random, seededRandom } from './random.js'
import { VirtualClock } from './virtual-clock.js'
import { WorkQueue } from './work-queue.js'

/** An action on the queue, after a pause. */
interface Action {
  readonly pause: number
  readonly key: string
  readonly way: 'add' | 'after' | 'limited'
  readonly delay: number
  readonly priority: number
}

const action: fc.Arbitrary<Action> = fc.record({
  pause: fc.constantFrom(0, 0, 0, 1, 2, 5, 20),
  key: fc.constantFrom('a', 'b', 'c', 'd'),
  way: fc.constantFrom('add', 'add', 'after', 'limited'),
  delay: fc.integer({ min: 0, max: 15 }),
  priority: fc.integer({ min: -1, max: 1 }),
})
const scenario = fc.record({
  actions: fc.array(action, { maxLength: 40 }),
  workers: fc.integer({ min: 1, max: 4 }),
  seed: fc.integer(),
})

/** Runs a scenario with workers of random speed that sometimes fail, and records all events. */
class QueueRun {
  readonly clock = new VirtualClock()
  readonly random: Random
  readonly queue: WorkQueue<string>
  readonly events: string[] = []
  closed = false
  readonly inWork = new Set<string>()
  readonly starts = new Map<string, number>()
  /** How often a key was added: the maximum number of its starts. */
  readonly adds = new Map<string, number>()
  /** By event number, so that two events at the same time have an order. */
  readonly lastRequest = new Map<string, number>()
  /** The last add without a delay, which even a draining queue must hand out. */
  readonly lastAdd = new Map<string, number>()
  readonly lastStart = new Map<string, number>()
  #events = 0

  constructor(seed: number) {
    this.random = seededRandom(seed)
    this.queue = new WorkQueue(environment({ clock: this.clock, random: this.random }))
  }

  note(what: string): void {
    this.events.push(`${this.clock.monotonic()} ${what}`)
  }

  add(key: string, way: Action['way']): void {
    if (this.closed) return
    this.adds.set(key, (this.adds.get(key) ?? 0) + 1)
    this.lastRequest.set(key, ++this.#events)
    if (way === 'add') this.lastAdd.set(key, this.#events)
  }

  start(key: string): void {
    assert.ok(!this.inWork.has(key), `two workers have ${key}`)
    this.inWork.add(key)
    this.starts.set(key, (this.starts.get(key) ?? 0) + 1)
    this.lastStart.set(key, ++this.#events)
  }

  assertStartedSince(adds: ReadonlyMap<string, number>): void {
    for (const [key, add] of adds)
      assert.ok((this.lastStart.get(key) ?? 0) > add, `${key} was not processed after it was last added`)
  }

  act({ key, way, delay, priority }: Action): void {
    this.note(`${way} ${key}`)
    this.add(key, way)
    if (way === 'add') this.queue.add(key, { priority })
    else if (way === 'after') this.queue.addAfter(key, delay, { priority })
    else this.queue.addRateLimited(key, { priority })
  }

  async work(worker: number): Promise<void> {
    for await (const key of this.queue.keys()) {
      this.start(key)
      this.note(`worker ${worker} starts ${key}`)
      if (this.random.integer(3) > 0) await sleep(this.clock, this.random.integer(6))
      if (this.random.integer(6) === 0) this.act({ key, way: 'limited', pause: 0, delay: 0, priority: 0 })
      else this.queue.forget(key)
      if (this.random.integer(8) === 0) this.act({ key, way: 'add', pause: 0, delay: 0, priority: 0 })
      this.inWork.delete(key)
    }
  }
}

async function play({ actions, workers, seed }: typeof scenario extends fc.Arbitrary<infer T> ? T : never) {
  const run = new QueueRun(seed)
  const workersDone = Array.from({ length: workers }, (_, worker) => run.work(worker))
  for (const action of actions) {
    await run.clock.advance(action.pause)
    run.act(action)
  }
  await run.clock.advance('1h')
  return { run, workersDone }
}

test('in any interleaving no key is processed twice at once, no add is lost, and nothing runs without an add', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      const { run, workersDone } = await play(given)
      assert.equal(run.queue.size, 0)
      for (const [key, adds] of run.adds) {
        const starts = run.starts.get(key) ?? 0
        assert.ok(starts >= 1 && starts <= adds, `${key} was added ${adds} times and started ${starts} times`)
      }
      run.assertStartedSince(run.lastRequest)
      await run.queue.close()
      await Promise.all(workersDone)
      assert.deepEqual([run.inWork.size, run.clock.pending], [0, 0])
    }),
  )
})

test('the same scenario has the same events each time', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      const [first, second] = [await play(given), await play(given)]
      assert.deepEqual(second.run.events, first.run.events)
    }),
    { numRuns: 30 },
  )
})

test('a draining queue hands out everything that was ready, whenever it is closed', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, fc.nat({ max: 40 }), async ({ actions, workers, seed }, closeAfter) => {
      const run = new QueueRun(seed)
      const workersDone = Array.from({ length: workers }, (_, worker) => run.work(worker))
      for (const action of actions.slice(0, closeAfter)) {
        await run.clock.advance(action.pause)
        run.act(action)
      }
      run.closed = true
      const closing = run.queue.close({ drain: true })
      await run.clock.advance('1m')
      await Promise.all([closing, ...workersDone])
      assert.equal(run.queue.size, 0)
      run.assertStartedSince(run.lastAdd)
    }),
  )
})

test('keys are handed out by priority, then in the order of adding', async () => {
  const adds = fc.array(fc.record({ key: fc.nat({ max: 9 }), priority: fc.integer({ min: -2, max: 2 }) }))
  await fc.assert(
    fc.asyncProperty(adds, async (adds) => {
      const queue = new WorkQueue<number>(environment({ clock: new VirtualClock() }))
      const expected = new Map<number, number>()
      for (const { key, priority } of adds) {
        queue.add(key, { priority })
        expected.set(key, Math.max(priority, expected.get(key) ?? priority))
      }
      const taken = []
      while (queue.size > 0) taken.push(await queue.take())
      const byPriority = [...expected].sort(([, one], [, other]) => other - one).map(([key]) => key)
      assert.deepEqual(taken, byPriority)
    }),
  )
})
