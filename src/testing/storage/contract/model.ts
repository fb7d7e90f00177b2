import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { CompactedError } from '../../../storage/errors.js'
import type { Store, StoreEntry, StoreEvent } from '../../../storage/store.js'
import { currentRevision, keepProcessAlive, type OpenStore, type StoreUnderTest, StoreWatchReader } from './harness.js'
import { NaiveStore } from './naive-store.js'
import { prefixes, type RandomOperation, randomSequences } from './random-operations.js'

/**
 * Random stories, told to the engine and to a model too simple to be wrong; then everything that can be read is compared.
 * A story that fails is made as short as possible before it is shown, which takes a while.
 */
export function modelTest(open: OpenStore, numRuns: number): void {
  test('random stories end as in the naive model: every read at every kept revision, and every watch', async (context) => {
    await keepProcessAlive(() =>
      fc.assert(
        fc.asyncProperty(randomSequences, (story) => play(context, open, story)),
        { numRuns },
      ),
    )
  })
}

async function play(context: TestContext, open: OpenStore, story: readonly RandomOperation[]): Promise<void> {
  const opened = await open(context)
  const player = new Player(opened, new NaiveStore(await currentRevision(opened.store)))
  try {
    for (const step of story) await player.take(step)
    await player.compareEverything()
  } finally {
    await player.store.close()
  }
}

interface Watching {
  readonly reader: StoreWatchReader
  readonly prefix: string
  readonly from: number
}

class Player {
  store: Store
  readonly #reopen: (() => Promise<Store>) | undefined
  readonly #model: NaiveStore
  readonly #leases: string[] = []
  #watching: Watching[] = []

  constructor({ store, reopen }: StoreUnderTest, model: NaiveStore) {
    this.store = store
    this.#reopen = reopen
    this.#model = model
  }

  async take(step: RandomOperation): Promise<void> {
    switch (step.type) {
      case 'transact':
        return this.#transact(step)
      case 'grant':
        this.#leases.push((await this.store.grantLease(3600)).id)
        return
      case 'revoke':
        return this.#revoke(step)
      case 'compact':
        return this.#compact(step)
      case 'watch':
        return this.#watch(step)
      case 'reopen':
        await this.#compareWatches()
        if (this.#reopen) this.store = await this.#reopen()
        return
    }
  }

  async #transact({ compare, changes }: RandomOperation & { type: 'transact' }): Promise<void> {
    const transaction = {
      compare: compare.map(({ key, right }) => ({ key, modRevision: this.#model.modRevision(key) + (right ? 0 : 1) })),
      changes: changes.map(({ key, value, lease }) => {
        if (value === undefined) return { type: 'delete', key } as const
        const leaseId = lease === undefined ? undefined : this.#leases[lease % this.#leases.length]
        return { type: 'put', key, value, ...(leaseId && { lease: leaseId }) } as const
      }),
    }
    assert.deepEqual(plain(await this.store.transact(transaction)), plain(this.#model.transact(transaction)))
  }

  async #revoke({ lease }: RandomOperation & { type: 'revoke' }): Promise<void> {
    const [id] = this.#leases.splice(lease % Math.max(1, this.#leases.length), 1)
    if (id === undefined) return
    await this.store.revokeLease(id)
    this.#model.revokeLease(id)
  }

  async #compact({ back }: RandomOperation & { type: 'compact' }): Promise<void> {
    await this.#compareWatches()
    const revision = Math.max(this.#model.oldest, this.#model.revision - back)
    await this.store.compact(revision)
    this.#model.oldest = revision
  }

  async #watch({ prefix, back }: RandomOperation & { type: 'watch' }): Promise<void> {
    const from = Math.max(this.#model.oldest + 1, this.#model.revision - back)
    const reader = new StoreWatchReader(this.store, { prefix, revision: from, previous: true, progressInterval: 5 })
    this.#watching.push({ reader, prefix, from })
  }

  async #compareWatches(): Promise<void> {
    const watching = this.#watching
    this.#watching = []
    for (const { reader, prefix, from } of watching) {
      await reader.reach(this.#model.revision)
      await reader.stop()
      assert.deepEqual(plainEvents(reader.events), plainEvents(this.#model.events(prefix, from)))
    }
  }

  async compareEverything(): Promise<void> {
    await this.#compareWatches()
    const { oldest, revision: newest } = this.#model
    assert.equal(await currentRevision(this.store), newest)
    for (let revision = oldest; revision <= newest; revision++) {
      await this.#compareReads(revision)
      await this.#watch({ type: 'watch', prefix: prefixes[revision % prefixes.length]!, back: newest - revision })
    }
    await this.#compareWatches()
    if (oldest > 1) await assert.rejects(this.store.get('a', { revision: oldest - 1 }), CompactedError)
  }

  async #compareReads(revision: number): Promise<void> {
    for (const prefix of prefixes) {
      const expected = this.#model.range(prefix, revision)
      const found = await this.store.range({ prefix, revision })
      assert.deepEqual(found.entries.map(plainEntry), expected.map(plainEntry))
      const [first] = expected
      if (first) assert.deepEqual(plainEntry((await this.store.get(first.key, { revision })).entry!), plainEntry(first))
    }
  }
}

/** Entries with their bytes as text, so that buffers of any kind compare, and a difference can be read. */
function plainEntry({ value, ...rest }: StoreEntry) {
  return { ...rest, value: Buffer.from(value).toString('latin1') }
}

function plain(result: Awaited<ReturnType<Store['transact']>>) {
  return result.succeeded ? result : { ...result, current: result.current.map(plainEntry) }
}

function plainEvents(events: readonly StoreEvent[]) {
  return events.map((event) => ({
    ...event,
    ...(event.type === 'put' && { entry: plainEntry(event.entry) }),
    ...(event.previous && { previous: plainEntry(event.previous) }),
  }))
}
