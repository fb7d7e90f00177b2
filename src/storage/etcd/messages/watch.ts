import { Buffer } from 'node:buffer'
import { WireReader } from '../../../base/protobuf/reader.js'
import { WireWriter } from '../../../base/protobuf/writer.js'
import type { StoreEntry, StoreEvent } from '../../store.js'
import type { KeyRange } from '../key-space.js'
import { readHeaderRevision, readKeyValue } from './key-value.js'
import type { EtcdMethod } from './method.js'

export type WatchRequest = WatchCreation | 'progress'

export interface WatchCreation extends KeyRange {
  readonly revision: number
  readonly previous: boolean
}

export interface EtcdWatchResponse {
  /** The revision of the member: the progress of a watch without events. With events, it promises nothing. */
  readonly revision: number
  /** The watch of the stream that this is about; the first one is 0. */
  readonly watchId: number
  readonly created: boolean
  readonly canceled: boolean
  /** Not 0: the watch ended because history before this revision was compacted. */
  readonly compactRevision: number
  readonly cancelReason: string
  /** Whether the next response continues this one. */
  readonly fragment: boolean
  readonly events: StoreEvent[]
  /** The size of the response on the wire. */
  readonly bytes: number
}

export function watchMethod(rootLength: number): EtcdMethod<WatchRequest, EtcdWatchResponse> {
  return {
    path: '/etcdserverpb.Watch/Watch',
    encode: encodeWatch,
    decode: (message) => decodeWatch(message, rootLength),
  }
}

/** A request whose only field, number 3, is an empty message. */
const progressRequest = Buffer.from([0x1a, 0])

function encodeWatch(request: WatchRequest): Buffer {
  if (request === 'progress') return progressRequest
  const writer = new WireWriter(request.start.length + request.end.length + 40)
  writer.flag(8, true) // large responses may come in fragments
  writer.flag(6, request.previous)
  writer.flag(4, true) // the member reports progress from time to time; the interval is its own setting
  writer.number(3, request.revision)
  writer.bytes(2, request.end)
  writer.bytes(1, request.start)
  writer.message(1, 0)
  return writer.finish()
}

function decodeWatch(message: Buffer, rootLength: number): EtcdWatchResponse {
  const reader = new WireReader(message)
  const response = {
    revision: 0,
    watchId: 0,
    created: false,
    canceled: false,
    compactRevision: 0,
    cancelReason: '',
    fragment: false,
    events: [] as StoreEvent[],
    bytes: message.length,
  }
  while (reader.next()) readField(reader, response, rootLength)
  return response
}

function readField(reader: WireReader, response: Mutable<EtcdWatchResponse>, rootLength: number): void {
  if (reader.field === 1) response.revision = readHeaderRevision(reader)
  else if (reader.field === 2) response.watchId = reader.number()
  else if (reader.field === 3) response.created = reader.flag()
  else if (reader.field === 4) response.canceled = reader.flag()
  else if (reader.field === 5) response.compactRevision = reader.number()
  else if (reader.field === 6) response.cancelReason = reader.text()
  else if (reader.field === 7) response.fragment = reader.flag()
  else if (reader.field === 11) response.events.push(readEvent(reader, rootLength))
  else reader.skip()
}

type Mutable<Message> = { -readonly [Field in keyof Message]: Message[Field] }

const deletion = 1

function readEvent(reader: WireReader, rootLength: number): StoreEvent {
  let type = 0
  let entry: StoreEntry = noEntry
  let previous: StoreEntry | undefined
  const outer = reader.enter()
  while (reader.next()) {
    if (reader.field === 1) type = reader.number()
    else if (reader.field === 2) entry = readKeyValue(reader, rootLength)
    else if (reader.field === 3) previous = readKeyValue(reader, rootLength)
    else reader.skip()
  }
  reader.leave(outer)
  if (type !== deletion) return previous ? { type: 'put', entry, previous } : { type: 'put', entry }
  const { key, modRevision: revision } = entry
  return previous ? { type: 'delete', key, revision, previous } : { type: 'delete', key, revision }
}

const noEntry: StoreEntry = { key: '', value: new Uint8Array(0), modRevision: 0, createRevision: 0, version: 0 }
