import assert from 'node:assert/strict'
import { Buffer } from 'node:buffer'
import { test } from 'node:test'
import fc from 'fast-check'
import { WireWriter } from '../../../base/protobuf/writer.js'
import type { StoreEntry, StoreEvent } from '../../store.js'
import { KeySpace } from '../key-space.js'
import { grantMethod, keepAliveMethod, revokeMethod } from './lease.js'
import { compactMethod, versionMethod } from './maintenance.js'
import { rangeMethod } from './range.js'
import { transactionMethod } from './transaction.js'
import { watchMethod } from './watch.js'

const root = '/registry/'
const rootLength = root.length
const keySpace = new KeySpace('registry')
const revision = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })

const entry: fc.Arbitrary<StoreEntry> = fc.record(
  {
    key: fc.string({ minLength: 1, unit: 'grapheme' }),
    value: fc.uint8Array({ maxLength: 100 }),
    modRevision: revision,
    createRevision: revision,
    version: revision,
    lease: fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }).map(String),
  },
  { requiredKeys: ['key', 'value', 'modRevision', 'createRevision', 'version'] },
)

function writeHeader(writer: WireWriter, revision: number): void {
  const before = writer.written
  writer.number(4, 3)
  writer.number(3, revision)
  writer.bigint(2, 2n ** 64n - 1n)
  writer.bigint(1, 14841639068965178418n)
  writer.message(1, before)
}

function writeEntry(writer: WireWriter, field: number, entry: StoreEntry): void {
  const before = writer.written
  writer.bigint(6, BigInt(entry.lease ?? 0))
  writer.bytes(5, entry.value)
  writer.number(4, entry.version)
  writer.number(3, entry.modRevision)
  writer.number(2, entry.createRevision)
  writer.bytes(1, Buffer.from(root + entry.key))
  writer.message(field, before)
}

function plain(entries: readonly StoreEntry[]) {
  return entries.map((entry) => ({ ...entry, value: Buffer.from(entry.value).toString('hex') }))
}

test('a range response is decoded with all entries, and keys without the prefix', () => {
  fc.assert(
    fc.property(fc.array(entry), revision, fc.boolean(), (entries, revision, more) => {
      const writer = new WireWriter()
      writer.number(4, entries.length)
      writer.flag(3, more)
      for (const entry of entries.toReversed()) writeEntry(writer, 2, entry)
      writeHeader(writer, revision)
      const message = writer.finish()
      const response = rangeMethod(rootLength).decode(message)
      assert.deepEqual(
        { ...response, entries: plain(response.entries) },
        { revision, more, count: entries.length, entries: plain(entries) },
      )
      // Values are not copied.
      for (const { value } of response.entries) if (value.length > 0) assert.equal(value.buffer, message.buffer)
    }),
  )
})

test("a range request has etcd's layout", () => {
  const { encode } = rangeMethod(0)
  const all = {
    key: Buffer.from('a'),
    end: Buffer.from('b'),
    limit: 5,
    revision: 300,
    serializable: true,
    countOnly: true,
  }
  assert.equal(encode(all).toString('hex'), ['0a0161', '120162', '1805', '20ac02', '3801', '4801'].join(''))
  assert.equal(encode({ key: Buffer.from('a') }).toString('hex'), '0a0161')
})

test("a transaction request has etcd's layout", () => {
  const { encode } = transactionMethod(new KeySpace(''))
  const transaction = {
    compare: [
      { key: 'a', modRevision: 0 },
      { key: 'b', modRevision: 7 },
    ],
    changes: [
      { type: 'put', key: 'a', value: Buffer.from('v'), lease: '9223372036854775807' },
      { type: 'delete', key: 'b' },
    ],
  } as const
  const comparisons = ['0a0510021a0161', '0a0710021a01623007']
  const put = `1212${'1210'}0a0161120176${'18ffffffffffffffff7f'}`
  const remove = '12051a030a0162'
  const reads = ['1a050a030a0161', '1a050a030a0162']
  assert.equal(encode(transaction).toString('hex'), [...comparisons, put, remove, ...reads].join(''))
})

test('a transaction response reports success, or the current entries', () => {
  fc.assert(
    fc.property(fc.array(entry), revision, fc.boolean(), (entries, revision, succeeded) => {
      const writer = new WireWriter()
      for (const entry of entries.toReversed()) {
        const before = writer.written
        writer.number(4, 1)
        if (!succeeded) writeEntry(writer, 2, entry)
        writer.message(succeeded ? 2 : 1, before)
        writer.message(3, before)
      }
      writer.flag(2, succeeded)
      writeHeader(writer, revision)
      const response = transactionMethod(keySpace).decode(writer.finish())
      if (response.succeeded) assert.deepEqual(response, { succeeded: true, revision })
      else assert.deepEqual(plain(response.current), plain(entries))
      assert.deepEqual([response.succeeded, response.revision], [succeeded, revision])
    }),
  )
})

test("a watch request has etcd's layout", () => {
  const { encode } = watchMethod(0)
  const range = { start: Buffer.from('a'), end: Buffer.from('b') }
  assert.equal(
    encode({ ...range, revision: 5, previous: true }).toString('hex'),
    '0a0e0a0161120162180520013001' + '4001',
  )
  assert.equal(encode({ ...range, revision: 5, previous: false }).toString('hex'), '0a0c0a01611201621805200140' + '01')
  assert.equal(encode('progress').toString('hex'), '1a00')
})

const watchEvent: fc.Arbitrary<StoreEvent> = fc
  .record({ entry, previous: fc.option(entry, { nil: undefined }), deleted: fc.boolean() })
  .map(({ entry, previous, deleted }) => ({
    ...(deleted
      ? { type: 'delete' as const, key: entry.key, revision: entry.modRevision }
      : { type: 'put' as const, entry }),
    ...(previous && { previous }),
  }))

test('a watch response is decoded with all events', () => {
  fc.assert(
    fc.property(fc.array(watchEvent), revision, fc.boolean(), (events, revision, flag) => {
      const writer = new WireWriter()
      for (const event of events.toReversed()) {
        const before = writer.written
        if (event.previous) writeEntry(writer, 3, event.previous)
        const tombstone = { value: Buffer.alloc(0), createRevision: 0, version: 0 }
        if (event.type === 'put') writeEntry(writer, 2, event.entry)
        else writeEntry(writer, 2, { ...tombstone, key: event.key, modRevision: event.revision })
        writer.flag(1, event.type === 'delete')
        writer.message(11, before)
      }
      writer.flag(7, flag)
      writer.bytes(6, Buffer.from('why'))
      writer.number(5, 12)
      writer.flag(4, !flag)
      writer.flag(3, flag)
      writer.number(2, 3)
      writeHeader(writer, revision)
      const message = writer.finish()
      const { events: found, ...rest } = watchMethod(rootLength).decode(message)
      const expected = {
        revision,
        watchId: 3,
        created: flag,
        canceled: !flag,
        compactRevision: 12,
        cancelReason: 'why',
        fragment: flag,
      }
      assert.deepEqual(rest, { ...expected, bytes: message.length })
      assert.deepEqual(found.map(plainEvent), events.map(plainEvent))
    }),
  )
})

function plainEvent(event: StoreEvent) {
  const previous = event.previous && plain([event.previous])
  return event.type === 'put' ? { entry: plain([event.entry]), previous } : { ...event, previous }
}

test('leases, compaction and the version', () => {
  assert.equal(grantMethod.encode(60).toString('hex'), '083c')
  assert.equal(
    keepAliveMethod.encode('7587862094143577090').toString('hex'),
    revokeMethod.encode('7587862094143577090').toString('hex'),
  )
  assert.equal(revokeMethod.encode('9223372036854775807').toString('hex'), '08ffffffffffffffff7f')
  assert.equal(compactMethod.encode(300).toString('hex'), '08ac02')
  const writer = new WireWriter()
  writer.number(3, 60)
  writer.bigint(2, 7587862094143577090n)
  writeHeader(writer, 5)
  assert.deepEqual(grantMethod.decode(writer.finish()), { id: '7587862094143577090', seconds: 60 })
  const status = new WireWriter()
  status.bytes(2, Buffer.from('3.4.23'))
  writeHeader(status, 5)
  assert.equal(versionMethod.encode().length, 0)
  assert.equal(versionMethod.decode(status.finish()), '3.4.23')
})
