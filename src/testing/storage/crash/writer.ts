/**
 * The process that is killed: it writes to an embedded store as fast as it can, and says on standard output what it is about to
 * do and what was acknowledged. The lines are written synchronously: what stands in the pipe survives the process.
 */
import { writeSync } from 'node:fs'
import { environment } from '../../../base/environment.js'
import { type Random, seededRandom } from '../../../base/random.js'
import { openEmbeddedStore } from '../../../storage/embedded/embedded-store.js'
import type { Store, StoreChange } from '../../../storage/store.js'
import type { WriterLine } from './ledger.js'

const writers = 16
const keyCount = 40

const [directory = '', seed = '1', mode = 'write'] = process.argv.slice(2)
await main(await openEmbeddedStore({ directory, environment: environment() }), seededRandom(Number(seed)))

async function main(store: Store, random: Random): Promise<void> {
  const lease = (await store.grantLease(3600)).id
  say({ type: 'lease', id: lease })
  let last = 0
  let count = 0
  const write = async () => {
    const id = `${seed}.${count++}`
    const changes = someChanges(id, random, lease)
    say({ type: 'intent', id, changes: changes.map(asIntended) })
    const { revision } = await store.transact({ changes })
    last = Math.max(last, revision)
    say({ type: 'done', id, revision })
  }
  if (mode === 'compact') {
    for (let round = 0; round < 60; round++) await Promise.all(Array.from({ length: writers }, write))
    compactTo(store, last - 50)
  }
  await Promise.all(
    Array.from({ length: writers }, async () => {
      for (;;) {
        await write()
        // Everything before such a revision was acknowledged in an earlier turn, and so stands in the pipe.
        if (random.float() < 0.01 && last > 300) compactTo(store, last - 100 - random.integer(150))
      }
    }),
  )
}

function compactTo(store: Store, revision: number): void {
  say({ type: 'compacting', revision })
  store.compact(revision).then(() => say({ type: 'compacted', revision }))
}

/** One to four changes of different keys. The first is a put whose value names the transaction, so that it can be found again. */
function someChanges(id: string, random: Random, lease: string): StoreChange[] {
  const keys = new Set<string>()
  while (keys.size < 1 + random.integer(4)) keys.add(`/registry/things/${random.integer(keyCount)}`)
  return [...keys].map((key, i) => {
    if (i > 0 && random.float() < 0.4) return { type: 'delete', key }
    const value = Buffer.from(
      `${id} ${'x'.repeat(random.float() < 0.1 ? random.integer(20_000) : random.integer(2000))}`,
    )
    return { type: 'put', key, value, ...(random.float() < 0.1 && { lease }) }
  })
}

function asIntended(change: StoreChange): (WriterLine & { type: 'intent' })['changes'][number] {
  if (change.type === 'delete') return { key: change.key }
  const { key, value, lease } = change
  return { key, length: value.length, ...(lease && { lease }) }
}

function say(line: WriterLine): void {
  writeSync(1, `${JSON.stringify(line)}\n`)
}
