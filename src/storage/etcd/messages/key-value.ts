import type { WireReader } from '../../../base/protobuf/reader.js'
import type { StoreEntry } from '../../store.js'

/**
 * etcd's KeyValue, which stands inside of most answers. The value is a part of the answer's bytes, not a copy. `rootLength` bytes
 * at the start of the key belong to the store's root and are left away.
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

/** The store's revision, from the header that every answer of etcd begins with. */
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
