import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { systemClock } from '../../../base/clock.js'
import { temporaryStoreFolder } from '../../../testing/storage/store-folders.js'
import { Batch } from '../../engine/batch.js'
import type { Counters, View } from '../../engine/medium.js'
import { NoSpaceError } from '../../errors.js'
import type { LmdbMedium } from '../lmdb/lmdb-medium.js'
import type { Delta } from './delta.js'
import { segmentBytes } from './journal.js'
import { JournaledMedium } from './journaled-medium.js'

/** An LMDB whose commits end or fail when the test says so. Until then their content must not change. */
class PatientLmdb {
  readonly sequence = 0
  readonly counters: Counters = { revision: 1, oldest: 1, swept: 1 }
  readonly view = { state: () => undefined } as unknown as View
  /** The last record of each commit that it was given. */
  readonly begun: number[] = []
  #end: { readonly check: () => void; resolve(): void; reject(error: Error): void } | undefined

  commit(deltas: readonly Delta[], _counters: Counters, sequence: number): Promise<void> {
    assert.equal(this.#end, undefined, 'one commit at a time')
    this.begun.push(sequence)
    const given = bytesOf(deltas)
    const check = () => assert.ok(given.equals(bytesOf(deltas)), 'what LMDB has not taken yet was written over')
    return new Promise<void>((resolve, reject) => {
      this.#end = { check, resolve, reject }
    })
  }

  async end(error?: Error): Promise<void> {
    const end = this.#end!
    end.check()
    this.#end = undefined
    if (error) end.reject(error)
    else end.resolve()
    await turn()
  }

  async close(): Promise<void> {}
}

function bytesOf(deltas: readonly Delta[]): Buffer {
  const changes = deltas.flatMap((delta) => [...delta.changes.values()].flat())
  return Buffer.concat(changes.map((change) => change!.bytes))
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
const much = segmentBytes / 2
const tooMuch = segmentBytes + 1

function openOver(context: TestContext, lmdb: PatientLmdb): JournaledMedium {
  const directory = temporaryStoreFolder(context)
  return new JournaledMedium({ directory, lmdb: lmdb as unknown as LmdbMedium, clock: systemClock })
}

function put(medium: JournaledMedium, key: string, bytes: number): Promise<void> {
  const batch = new Batch(medium.counters, medium.view, { has: () => false, keysUnder: () => [] })
  batch.transact({ changes: [{ type: 'put', key, value: Buffer.alloc(bytes, 'x') }] })
  return medium.commit(batch)
}

describe('a journal and LMDB', () => {
  test('commits continue while LMDB settles, and it takes the later ones next', async (context) => {
    const lmdb = new PatientLmdb()
    const medium = openOver(context, lmdb)
    await put(medium, 'a', much)
    assert.deepEqual(lmdb.begun, [1])
    await put(medium, 'b', 100)
    await put(medium, 'c', much)
    assert.deepEqual(lmdb.begun, [1], 'one thing after the other')
    assert.equal(medium.view.state('c')?.modRevision, 4)
    await lmdb.end()
    assert.deepEqual(lmdb.begun, [1, 3], 'it was much, so there is no waiting')
    const closing = medium.close()
    await lmdb.end()
    await closing
  })

  test('a record that is too long for the journal waits until LMDB has all earlier ones', async (context) => {
    const lmdb = new PatientLmdb()
    const medium = openOver(context, lmdb)
    await put(medium, 'a', much)
    await put(medium, 'b', 100)
    const long = put(medium, 'a', tooMuch)
    await turn()
    for (const begun of [[1], [1, 2], [1, 2, 3]]) {
      assert.deepEqual(lmdb.begun, begun)
      await lmdb.end()
    }
    await long
    assert.equal(medium.counters.revision, 4)
    assert.equal(medium.view, lmdb.view, 'nothing is laid over it that it has')
    await medium.close()
  })

  test('if LMDB cannot settle, the next commit fails, and later ones succeed when it can', async (context) => {
    const lmdb = new PatientLmdb()
    const medium = openOver(context, lmdb)
    await put(medium, 'a', much)
    await put(medium, 'b', 100)
    await lmdb.end(new NoSpaceError('full'))
    const rejected = assert.rejects(put(medium, 'c', 100), NoSpaceError)
    await turn()
    await lmdb.end(new NoSpaceError('full'))
    await rejected
    assert.equal(medium.view.state('b')?.modRevision, 3, 'what was acknowledged is there')
    assert.equal(medium.view.state('c'), undefined)
    const taken = put(medium, 'c', 100)
    await turn()
    await lmdb.end()
    await taken
    assert.deepEqual(lmdb.begun, [1, 2, 2])
    const closing = medium.close()
    await turn()
    await lmdb.end()
    await closing
  })

  test('a segment is overwritten only when LMDB has its records', async (context) => {
    const lmdb = new PatientLmdb()
    const medium = openOver(context, lmdb)
    for (const key of ['a', 'b', 'c']) await put(medium, key, much - 1000)
    assert.deepEqual(lmdb.begun, [2])
    let isTaken = false
    const waiting = put(medium, 'd', much + 1000).then(() => {
      isTaken = true
    })
    for (let i = 0; i < 20; i++) await turn()
    assert.equal(isTaken, false)
    await lmdb.end()
    await waiting
    const closing = medium.close()
    await turn()
    await lmdb.end()
    await closing
  })
})
