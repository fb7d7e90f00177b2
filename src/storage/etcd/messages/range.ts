import type { Buffer } from 'node:buffer'
import { WireReader } from '../../../base/protobuf/reader.js'
import { WireWriter } from '../../../base/protobuf/writer.js'
import type { StoreEntry } from '../../store.js'
import { readHeaderRevision, readKeyValue } from './key-value.js'
import type { EtcdMethod } from './method.js'

export interface RangeRequest {
  readonly key: Uint8Array
  /** Only the one key by default. */
  readonly end?: Uint8Array | undefined
  readonly limit?: number
  readonly revision?: number | undefined
  /** The member responds from its own state, without asking the others: not linearizable. */
  readonly serializable?: boolean
  readonly countOnly?: boolean
}

export interface RangeResponse {
  /** The revision of the store when the range was read, whatever revision was requested. */
  readonly revision: number
  readonly entries: readonly StoreEntry[]
  readonly more: boolean
  /** The number of keys in the range, regardless of the limit. */
  readonly count: number
}

export function rangeMethod(rootLength: number): EtcdMethod<RangeRequest, RangeResponse> {
  return {
    path: '/etcdserverpb.KV/Range',
    encode: encodeRange,
    decode: (message) => readRangeResponse(new WireReader(message), rootLength),
  }
}

function encodeRange(request: RangeRequest): Buffer {
  const writer = new WireWriter(request.key.length + (request.end?.length ?? 0) + 40)
  writeRangeRequest(writer, request)
  return writer.finish()
}

export function writeRangeRequest(writer: WireWriter, request: RangeRequest): void {
  writer.flag(9, request.countOnly)
  writer.flag(7, request.serializable)
  writer.number(4, request.revision)
  writer.number(3, request.limit)
  if (request.end) writer.bytes(2, request.end)
  writer.bytes(1, request.key)
}

/** Reads to the end of the current message. */
export function readRangeResponse(reader: WireReader, rootLength: number): RangeResponse {
  const entries: StoreEntry[] = []
  let revision = 0
  let more = false
  let count = 0
  while (reader.next()) {
    if (reader.field === 1) revision = readHeaderRevision(reader)
    else if (reader.field === 2) entries.push(readKeyValue(reader, rootLength))
    else if (reader.field === 3) more = reader.flag()
    else if (reader.field === 4) count = reader.number()
    else reader.skip()
  }
  return { revision, entries, more, count }
}
