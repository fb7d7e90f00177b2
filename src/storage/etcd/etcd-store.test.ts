import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { environment } from '../../base/environment.js'
import { EtcdServer, etcdMissing } from '../../testing/etcd/etcd-server.js'
import { TcpProxy } from '../../testing/faults/tcp-proxy.js'
import {
  decodeText,
  deleteKey,
  encodeText,
  putKey,
  StoreWatchReader,
  storeEventLines,
} from '../../testing/storage/contract/harness.js'
import { CompactedError, InvalidRequestError, NoSpaceError, TooLargeError, UnavailableError } from '../errors.js'
import type { Store } from '../store.js'
import { openEtcdStore } from './etcd-store.js'
import type { EtcdStoreOptions } from './options.js'

const missing = await etcdMissing()
const timeout = 60_000

if (missing) test('etcd specifics', { skip: missing })
else
  describe('etcd specifics', () => {
    let server: EtcdServer
    before(async () => {
      server = await EtcdServer.start()
    })
    after(() => server.close())
    let stores = 0
    const using = async (run: (store: Store) => Promise<void>, options: Partial<EtcdStoreOptions> = {}) => {
      const store = await openEtcdStore(
        { ...server.connection, prefix: `/test-${stores++}`, ...options },
        environment(),
      )
      await run(store).finally(() => store.close())
    }

    test('keys have the paths that Kubernetes uses', { timeout }, () =>
      using(
        (store) =>
          using(
            async (bare) => {
              await putKey(store, 'pods/default/web', 'a pod')
              assert.equal(decodeText((await bare.get('/registry/pods/default/web')).entry!.value), 'a pod')
              await putKey(bare, '/registry/pods/default/other', 'another')
              const { entries } = await store.range({ prefix: 'pods/' })
              assert.deepEqual(
                entries.map((entry) => entry.key),
                ['pods/default/other', 'pods/default/web'],
              )
            },
            { prefix: '' },
          ),
        { prefix: '/registry' },
      ),
    )

    test('stores with different prefixes are separate', { timeout }, () =>
      using(
        (one) =>
          using(
            async (other) => {
              await putKey(one, 'a', 'one')
              assert.equal((await other.get('a')).entry, undefined)
              assert.equal((await other.range({ prefix: '' })).count, 0)
            },
            { prefix: 'test' },
          ),
        { prefix: 'test2' },
      ),
    )

    test('a large range is read in pages, all at one revision', { timeout }, () =>
      using(async (store) => {
        const value = new Uint8Array(3000)
        const key = (i: number) => `k/${String(i).padStart(5, '0')}`
        for (let i = 0; i < 4000; i += 100)
          await store.transact({
            changes: Array.from({ length: 100 }, (_, j) => ({ type: 'put', key: key(i + j), value })),
          })
        let writing = true
        const writer = (async () => {
          for (let i = 0; writing; i++) await putKey(store, key(i % 4000), 'new')
        })()
        for (let i = 0; i < 5; i++) {
          const { entries, revision, count, more } = await store.range({ prefix: 'k/' })
          assert.deepEqual([entries.length, count, more], [4000, 4000, false])
          assert.ok(entries.every((entry, at) => entry.key === key(at) && entry.modRevision <= revision))
          const limited = await store.range({ prefix: 'k/', limit: 1234, revision })
          assert.deepEqual(limited, { revision, entries: entries.slice(0, 1234), count: 4000, more: true })
        }
        writing = false
        await writer
      }),
    )

    test('150 watches get their own changes', { timeout }, () =>
      using(async (store) => {
        const first = await putKey(store, 'start', '.')
        const readers = Array.from(
          { length: 150 },
          (_, i) => new StoreWatchReader(store, { prefix: `w/${i}/`, revision: first }),
        )
        for (let i = 0; i < 150; i++) await putKey(store, `w/${i}/x`, `${i}`)
        for (const [i, reader] of readers.entries()) {
          await reader.until(({ events }) => events.length > 0)
          assert.deepEqual(storeEventLines(reader.events), [`${first + 1 + i} +w/${i}/x=${i}`])
          await reader.stop()
        }
      }),
    )

    test('a revision that etcd sends in several fragments is reported as a whole', { timeout }, () =>
      using(async (store) => {
        // Each revision takes 1.4 MB, and twice that with previous values: more than etcd sends in one message.
        const value = new Uint8Array(100_000)
        const changes = Array.from({ length: 14 }, (_, i) => ({ type: 'put', key: `k/${i}`, value }) as const)
        const { revision } = await store.transact({ changes })
        for (let i = 0; i < 4; i++) await store.transact({ changes })
        const reader = new StoreWatchReader(store, { prefix: 'k/', revision, previous: true })
        await reader.reach(revision + 4)
        assert.equal(reader.events.length, 70)
        let next = revision
        for (const batch of reader.batches) {
          assert.equal(batch.events.length % 14, 0)
          for (const event of batch.events) {
            assert.ok(event.type === 'put')
            assert.equal(event.previous?.modRevision, event.entry.modRevision === revision ? undefined : next - 1)
            assert.equal(event.entry.modRevision, next)
            if (event.entry.key === 'k/13') next++
          }
        }
        await reader.stop()
      }),
    )

    /** The same store, once directly and once over a connection that can be cut. */
    const usingCable = (
      run: (direct: Store, store: Store, cable: TcpProxy) => Promise<void>,
      options: Partial<EtcdStoreOptions> = {},
    ) => {
      const prefix = `/test-cable-${stores++}`
      return using(
        async (direct) => {
          const cable = await TcpProxy.to(server.members[0]!.clientUrl)
          const far = { ...options, prefix, servers: [cable.address] }
          await using((store) => run(direct, store, cable), far).finally(() => cable.cut())
        },
        { prefix },
      )
    }

    test('a watch continues after a lost connection', { timeout }, () =>
      usingCable(async (direct, store, cable) => {
        const first = await putKey(direct, 'a', '0')
        const reader = new StoreWatchReader(store, { prefix: '', revision: first, previous: true })
        const expected = [`${first} +a=0`]
        for (let round = 0; round < 5; round++) {
          await reader.until(({ events }) => events.length === expected.length)
          await cable.cut()
          for (let i = 0; i < 20; i++) expected.push(`${await putKey(direct, 'a', `${i}`)} +a=${i}`)
          expected.push(`${await deleteKey(direct, 'a')} -a`)
          await cable.restore()
        }
        await reader.until(({ events }) => events.length >= expected.length)
        assert.deepEqual(storeEventLines(reader.events), expected)
        await reader.stop()
      }),
    )

    test('a watch whose history was compacted during a lost connection fails', { timeout }, () =>
      usingCable(async (direct, store, cable) => {
        const first = await putKey(direct, 'a', '0')
        const reader = new StoreWatchReader(store, { prefix: '', revision: first })
        await reader.reach(first)
        await cable.cut()
        await putKey(direct, 'a', '1')
        const oldest = await putKey(direct, 'a', '2')
        await direct.compact(oldest)
        await cable.restore()
        await assert.rejects(reader.next(), (error: Error) => {
          assert.ok(error instanceof CompactedError)
          assert.equal(error.oldest, oldest)
          return true
        })
        assert.equal((await reader.next()).done, true)
      }),
    )

    test('a watch with a slow reader stops receiving, and misses nothing', { timeout }, () =>
      usingCable(
        async (direct, store, cable) => {
          const value = new Uint8Array(100_000)
          const revision = await putKey(direct, 'start', '.')
          const reader = new StoreWatchReader(store, { prefix: '', revision })
          await reader.reach(revision)
          const before = cable.bytesReceived
          for (let i = 0; i < 300; i++) await direct.transact({ changes: [{ type: 'put', key: `k/${i % 5}`, value }] })
          await putKey(direct, 'end', '.')
          const unread = cable.bytesReceived - before
          assert.ok(unread < 15_000_000, `${unread} of 30,000,000 bytes were sent to a reader that did not read them`)
          const found = await reader.reach(revision + 301)
          assert.deepEqual(
            found.map((line) => Number(line.split(' ')[0])),
            Array.from({ length: 302 }, (_, i) => revision + i),
          )
          await reader.stop()
        },
        { watchBufferBytes: 1_000_000 },
      ),
    )

    test('a write with a lost response is not made twice', { timeout }, () =>
      usingCable(async (direct, store, cable) => {
        await store.get('a')
        cable.dropResponses()
        const writing = assert.rejects(putKey(store, 'a', '1'), UnavailableError)
        while (!(await direct.get('a')).entry) await new Promise((resolve) => setTimeout(resolve, 5))
        await cable.restore()
        await writing
        await putKey(store, 'b', 'after')
        assert.equal((await direct.get('a')).entry?.version, 1)
      }),
    )

    test('a read with a lost response is sent again', { timeout }, () =>
      usingCable(async (direct, store, cable) => {
        await putKey(direct, 'a', '1')
        await store.get('a')
        cable.dropResponses()
        const before = cable.bytesReceived
        const reading = store.get('a')
        while (cable.bytesReceived === before) await new Promise((resolve) => setTimeout(resolve, 5))
        await cable.restore()
        assert.equal(decodeText((await reading).entry!.value), '1')
      }),
    )

    test('a request that is too large for etcd is rejected with the key', { timeout }, () =>
      using(async (store) => {
        const value = new Uint8Array(1.5 * 1024 * 1024)
        await assert.rejects(store.transact({ changes: [{ type: 'put', key: 'large', value }] }), TooLargeError)
        const half = value.subarray(value.length / 2)
        const changes = ['a', 'b', 'c'].map((key) => ({ type: 'put', key, value: half }) as const)
        await assert.rejects(store.transact({ changes }), InvalidRequestError)
        assert.equal((await store.range({ prefix: '' })).count, 0)
      }),
    )

    test('an invalid address is rejected when the store is opened', async () => {
      for (const servers of [[], ['ftp://host:21'], ['http://host'], ['host:1/path']])
        await assert.rejects(openEtcdStore({ servers }, environment()), InvalidRequestError)
    })
  })

test('when etcd has no space, writes fail and reads continue', { skip: missing, timeout }, async () => {
  const server = await EtcdServer.start({ flags: [`--quota-backend-bytes=${4 * 1024 * 1024}`] })
  const store = await openEtcdStore(server.connection, environment())
  try {
    await putKey(store, 'first', 'here')
    const value = new Uint8Array(500_000)
    const fill = async () => {
      for (let i = 0; ; i++) await store.transact({ changes: [{ type: 'put', key: `k/${i}`, value }] })
    }
    await assert.rejects(fill, NoSpaceError)
    assert.equal(decodeText((await store.get('first')).entry!.value), 'here')
    await deleteKey(store, 'first')
    assert.equal((await store.get('first')).entry, undefined)
  } finally {
    await store.close()
    await server.close()
  }
})

test('a client or server with a wrong certificate gets no response', {
  skip: missing,
  timeout,
}, async () => {
  const server = await EtcdServer.start({ tls: true })
  const stranger = await EtcdServer.start({ tls: true })
  try {
    const { servers, cafile } = server.connection
    const attempt = async (options: EtcdStoreOptions) => {
      const store = await openEtcdStore({ ...options, timeout: 1000 }, environment())
      await assert.rejects(store.get('a'), UnavailableError).finally(() => store.close())
    }
    await attempt({ servers, cafile: cafile! })
    await attempt({ ...stranger.connection, servers })
    await attempt({ servers: servers.map((url) => url.replace('https', 'http')) })
    const known = await openEtcdStore(server.connection, environment())
    await known.transact({ changes: [{ type: 'put', key: 'a', value: encodeText('1') }] }).finally(() => known.close())
  } finally {
    await server.close()
    await stranger.close()
  }
})
