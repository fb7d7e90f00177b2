import type { WireReader } from '../../../base/protobuf/reader.js'
import type { StoreEntry } from '../../store.js'

/**
 * Reads etcd's KeyValue, which is part of most responses. The value is a part of the bytes of the response, not a copy. Removes
 * `rootLength` bytes, the prefix of the store, from the key.
 */
export function readKeyValue(reader: WireReader, rootLength: number): StoreEntry {
  let key = ''
  let value: Uint8Array = noBytes
  let createRevision = 0
  let modRevision = 0
  let version = 0
  let lease = '0'
  const outer = reader.enter()
  while (reader.next()) {
    if (reader.field === 1) key = reader.text(rootLength)
    else if (reader.field === 2) createRevision = reader.number()
    else if (reader.field === 3) modRevision = reader.number()
    else if (reader.field === 4) version = reader.number()
    else if (reader.field === 5) value = reader.bytes()
    else if (reader.field === 6) lease = reader.decimal()
    else reader.skip()
  }
  reader.leave(outer)
  if (lease === '0') return { key, value, modRevision, createRevision, version }
  return { key, value, modRevision, createRevision, version, lease }
}

/** Reads the revision of the store from the header of a response. */
export function readHeaderRevision(reader: WireReader): number {
  let revision = 0
  const outer = reader.enter()
  while (reader.next()) {
    if (reader.field === 3) revision = reader.number()
    else reader.skip()
  }
  reader.leave(outer)
  return revision
}

const noBytes = new Uint8Array(0)
