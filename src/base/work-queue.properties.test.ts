import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sleep } from './clock.js'
import { environment } from './environment.js'
import { type Random, seededRandom } from './random.js'
import { VirtualClock } from './virtual-clock.js'
import { WorkQueue } from './work-queue.js'

/** What happens to the queue from outside, each after a pause. */
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

/** Plays a scenario with workers of uncertain speed that fail now and then, and keeps a diary of all that happened. */
class World {
  readonly clock = new VirtualClock()
  readonly random: Random
  readonly queue: WorkQueue<string>
  readonly diary: string[] = []
  closed = false
  readonly inWork = new Set<string>()
  readonly starts = new Map<string, number>()
  /** How often a key was wanted: the most that it may be started. */
  readonly wishes = new Map<string, number>()
  /** By number of the event, so that two at the same time still have an order. */
  readonly lastWish = new Map<string, number>()
  /** The wishes without delay among them, which even a draining queue must fulfil. */
  readonly lastAdd = new Map<string, number>()
  readonly lastStart = new Map<string, number>()
  #events = 0

  constructor(seed: number) {
    this.random = seededRandom(seed)
    this.queue = new WorkQueue(environment({ clock: this.clock, random: this.random }))
  }

  note(what: string): void {
    this.diary.push(`${this.clock.monotonic()} ${what}`)
  }

  wish(key: string, way: Action['way']): void {
    if (this.closed) return
    this.wishes.set(key, (this.wishes.get(key) ?? 0) + 1)
    this.lastWish.set(key, ++this.#events)
    if (way === 'add') this.lastAdd.set(key, this.#events)
  }

  start(key: string): void {
    assert.ok(!this.inWork.has(key), `two workers have ${key}`)
    this.inWork.add(key)
    this.starts.set(key, (this.starts.get(key) ?? 0) + 1)
    this.lastStart.set(key, ++this.#events)
  }

  assertFulfilled(wishes: ReadonlyMap<string, number>): void {
    for (const [key, wish] of wishes)
      assert.ok((this.lastStart.get(key) ?? 0) > wish, `${key} was not looked at after it was last added`)
  }

  act({ key, way, delay, priority }: Action): void {
    this.note(`${way} ${key}`)
    this.wish(key, way)
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
  const world = new World(seed)
  const crew = Array.from({ length: workers }, (_, worker) => world.work(worker))
  for (const action of actions) {
    await world.clock.advance(action.pause)
    world.act(action)
  }
  await world.clock.advance('1h')
  return { world, crew }
}

test('under any interleaving no key is worked on twice at once, no wish is lost, and nothing is done unasked', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      const { world, crew } = await play(given)
      assert.equal(world.queue.size, 0)
      for (const [key, wishes] of world.wishes) {
        const starts = world.starts.get(key) ?? 0
        assert.ok(starts >= 1 && starts <= wishes, `${key} was wanted ${wishes} times and started ${starts} times`)
      }
      world.assertFulfilled(world.lastWish)
      await world.queue.close()
      await Promise.all(crew)
      assert.deepEqual([world.inWork.size, world.clock.pending], [0, 0])
    }),
  )
})

test('the same scenario is played the same way each time', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      const [first, second] = [await play(given), await play(given)]
      assert.deepEqual(second.world.diary, first.world.diary)
    }),
    { numRuns: 30 },
  )
})

test('whenever it is closed, a draining queue hands out all that was ready, and then ends', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, fc.nat({ max: 40 }), async ({ actions, workers, seed }, closeAfter) => {
      const world = new World(seed)
      const crew = Array.from({ length: workers }, (_, worker) => world.work(worker))
      for (const action of actions.slice(0, closeAfter)) {
        await world.clock.advance(action.pause)
        world.act(action)
      }
      world.closed = true
      const closing = world.queue.close({ drain: true })
      await world.clock.advance('1m')
      await Promise.all([closing, ...crew])
      assert.equal(world.queue.size, 0)
      world.assertFulfilled(world.lastAdd)
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
