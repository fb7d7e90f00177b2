import type { Buffer } from 'node:buffer'
import { WireReader } from '../../../base/protobuf/reader.js'
import { WireWriter } from '../../../base/protobuf/writer.js'
import type { Comparison, StoreChange, StoreEntry, Transaction, TransactionResult } from '../../store.js'
import type { KeySpace } from '../key-space.js'
import { readHeaderRevision } from './key-value.js'
import type { EtcdMethod } from './method.js'
import { readRangeResponse, writeRangeRequest } from './range.js'

/** If the comparison fails, etcd reads the compared keys in the same transaction. */
export function transactionMethod(keySpace: KeySpace): EtcdMethod<Transaction, TransactionResult> {
  return {
    path: '/etcdserverpb.KV/Txn',
    encode: (transaction) => encodeTransaction(transaction, keySpace),
    decode: (message) => decodeTransaction(message, keySpace.rootLength),
  }
}

export function encodeTransaction({ compare = [], changes }: Transaction, keySpace: KeySpace): Buffer {
  const writer = new WireWriter(estimate(changes, compare, keySpace))
  for (const { key } of compare.toReversed()) writeRead(writer, keySpace.key(key))
  for (const change of changes.toReversed()) writeChange(writer, change, keySpace.key(change.key))
  for (const comparison of compare.toReversed()) writeComparison(writer, comparison, keySpace.key(comparison.key))
  return writer.finish()
}

/** Keys are mostly ASCII; if the estimate is too small, the writer grows. */
function estimate(changes: readonly StoreChange[], compare: readonly Comparison[], keySpace: KeySpace): number {
  let bytes = 16
  for (const change of changes) {
    bytes += keySpace.rootLength + change.key.length + 40
    if (change.type === 'put') bytes += change.value.length
  }
  for (const { key } of compare) bytes += 2 * (keySpace.rootLength + key.length) + 50
  return bytes
}

const modRevisionTarget = 2

function writeComparison(writer: WireWriter, { modRevision }: Comparison, key: Uint8Array): void {
  const before = writer.written
  writer.number(6, modRevision) // a missing 0 still compares with 0, because the target says what is compared
  writer.bytes(3, key)
  writer.number(2, modRevisionTarget)
  writer.message(1, before)
}

function writeChange(writer: WireWriter, change: StoreChange, key: Uint8Array): void {
  const before = writer.written
  if (change.type === 'put') {
    if (change.lease !== undefined) writer.bigint(3, BigInt(change.lease))
    writer.bytes(2, change.value)
  }
  writer.bytes(1, key)
  writer.message(change.type === 'put' ? 2 : 3, before)
  writer.message(2, before)
}

function writeRead(writer: WireWriter, key: Uint8Array): void {
  const before = writer.written
  writeRangeRequest(writer, { key })
  writer.message(1, before)
  writer.message(3, before)
}

function decodeTransaction(message: Buffer, rootLength: number): TransactionResult {
  const reader = new WireReader(message)
  const current: StoreEntry[] = []
  let revision = 0
  let succeeded = false
  while (reader.next()) {
    if (reader.field === 1) revision = readHeaderRevision(reader)
    else if (reader.field === 2) succeeded = reader.flag()
    else if (reader.field === 3) readOperation(reader, rootLength, current)
    else reader.skip()
  }
  return succeeded ? { succeeded, revision } : { succeeded, revision, current }
}

/** Only the results of reads are used. */
function readOperation(reader: WireReader, rootLength: number, current: StoreEntry[]): void {
  const outer = reader.enter()
  while (reader.next()) {
    if (reader.field !== 1) {
      reader.skip()
      continue
    }
    const operation = reader.enter()
    current.push(...readRangeResponse(reader, rootLength).entries)
    reader.leave(operation)
  }
  reader.leave(outer)
}
