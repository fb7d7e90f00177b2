import assert from 'node:assert/strict'
import { test } from 'node:test'
import { environment } from '../../base/environment.js'
import { EtcdServer, etcdMissing } from '../../testing/etcd/etcd-server.js'
import { decodeText, putKey, StoreWatchReader, storeEventLines } from '../../testing/storage/contract/harness.js'
import { UnavailableError } from '../errors.js'
import type { Store } from '../store.js'
import { openEtcdStore } from './etcd-store.js'

const skip = await etcdMissing()
/** Limit for anything that hangs instead of failing. */
const timeout = 60_000

test('a store without any etcd fails in time', { timeout }, async () => {
  const store = await openEtcdStore({ servers: ['127.0.0.1:1', '127.0.0.1:2'], timeout: 500 }, environment())
  await assert.rejects(store.get('a'), (error: Error) => {
    assert.ok(error instanceof UnavailableError)
    assert.match(error.message, /ECONNREFUSED/)
    return true
  })
  await rejectsEverything(store)
  await store.close()
})

test('a store fails while the only member is down, and works again afterwards', { skip, timeout }, async () => {
  await using({ members: 1 }, async (server, store) => {
    const [member] = server.members
    const revision = await putKey(store, 'a', '1')
    const { id } = await store.grantLease(600)
    const reader = new StoreWatchReader(store, { prefix: '', revision })
    await reader.reach(revision)
    await member!.kill()
    await rejectsEverything(store)
    await member!.start()
    assert.equal(decodeText((await store.get('a')).entry!.value), '1')
    const later = await putKey(store, 'a', '2', id)
    assert.deepEqual(await reader.reach(later), [`${revision} +a=1`, `${later} +a=2`])
    await reader.stop()
  })
})

test('a member that accepts connections and does not respond counts as down', { skip, timeout }, async () => {
  await using({ members: 1 }, async (server, store) => {
    const [member] = server.members
    const revision = await putKey(store, 'a', '1')
    const reader = new StoreWatchReader(store, { prefix: '', revision })
    await reader.reach(revision)
    member!.pause()
    await rejectsEverything(store)
    // A store that is opened now gets a connection, but no response.
    const late = await openEtcdStore({ ...server.connection, timeout: 1000, heartbeat: 300 }, environment())
    await rejectsEverything(late)
    member!.resume()
    // A failed write may have taken effect: it was in the sockets of the member.
    const after = await putKey(store, 'b', '2')
    await reader.until((read) => read.revision >= after)
    assert.equal(new Set(storeEventLines(reader.events)).size, reader.events.length)
    assert.equal(decodeText((await late.get('b')).entry!.value), '2')
    await reader.stop()
    await late.close()
  })
})

test('a write that was sent waits for its response, even if the member is given up meanwhile', {
  skip,
  timeout,
}, async () => {
  await using({ members: 1, timeout: 20_000, heartbeat: 100 }, async (server, store) => {
    const [member] = server.members
    await putKey(store, 'a', '1')
    member!.pause()
    const writing = putKey(store, 'a', '2')
    // Reads try the member again and again, over new connections.
    const reading = store.get('a')
    await new Promise((resolve) => setTimeout(resolve, 1500))
    member!.resume()
    const revision = await writing
    assert.ok((await reading).entry)
    assert.equal((await store.get('a')).entry!.modRevision, revision)
  })
})

test('a store without a majority fails, and works again with one', { skip, timeout }, async () => {
  await using({ members: 3 }, async (server, store) => {
    await putKey(store, 'a', '1')
    const leader = await server.leader()
    // The leader is left alone, and continues for a moment.
    const [one, two] = server.members.filter((member) => member !== leader)
    await Promise.all([one!.kill(), two!.kill()])
    await rejectsEverything(store)
    await two!.start()
    await until(async () => {
      // A failed write may have taken effect when there was a majority again.
      assert.match(decodeText((await store.get('a')).entry!.value), /^(1|perhaps)$/)
      await putKey(store, 'b', '2')
    })
  })
})

test('a read survives a paused member', { skip, timeout }, async () => {
  // Long enough for an election, if the paused member is the leader.
  await using({ members: 3, timeout: 15_000 }, async (server, store) => {
    const revision = await putKey(store, 'a', '1')
    const reader = new StoreWatchReader(store, { prefix: '', revision })
    await reader.reach(revision)
    for (const member of server.members) {
      member.pause()
      // By the third round the member that the store uses has been paused.
      assert.equal(decodeText((await store.get('a')).entry!.value), '1')
      await until(() => putKey(store, 'b', member.clientUrl))
      const last = (await store.get('b')).entry!.modRevision
      await reader.reach(last)
      member.resume()
      await member.untilHealthy()
    }
    assert.equal(new Set(storeEventLines(reader.events)).size, reader.events.length)
    await reader.stop()
  })
})

async function rejectsEverything(store: Store): Promise<void> {
  const attempts = {
    get: () => store.get('a'),
    range: () => store.range({ prefix: '' }),
    transact: () => putKey(store, 'a', 'perhaps'),
    compact: () => store.compact(1),
    grantLease: () => store.grantLease(10),
    keepLeaseAlive: () => store.keepLeaseAlive('1'),
    revokeLease: () => store.revokeLease('1'),
  }
  await Promise.all(
    Object.entries(attempts).map(([name, attempt]) =>
      assert.rejects(attempt, UnavailableError, `${name} went through`),
    ),
  )
}

/** Retries as long as the store is unavailable. */
async function until<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error
    }
  }
}

async function using(
  { members, timeout = 2000, heartbeat = 300 }: { members: number; timeout?: number; heartbeat?: number },
  run: (server: EtcdServer, store: Store) => Promise<void>,
): Promise<void> {
  const server = await EtcdServer.start({ members })
  const store = await openEtcdStore({ ...server.connection, timeout, heartbeat }, environment())
  try {
    await run(server, store)
  } finally {
    await store.close()
    await server.close()
  }
}
