import { Buffer } from 'node:buffer'
import { WireReader } from '../../../base/protobuf/reader.js'
import { WireWriter } from '../../../base/protobuf/writer.js'
import type { EtcdMethod } from './method.js'

/** Compacts history before the revision. */
export const compactMethod: EtcdMethod<number, void> = {
  path: '/etcdserverpb.KV/Compact',
  encode(revision) {
    const writer = new WireWriter(16)
    writer.number(1, revision)
    return writer.finish()
  },
  decode: () => {},
}

/** The version of the member, such as `3.4.23`. */
export const versionMethod: EtcdMethod<void, string> = {
  path: '/etcdserverpb.Maintenance/Status',
  encode: () => Buffer.alloc(0),
  decode(message) {
    const reader = new WireReader(message)
    let version = ''
    while (reader.next()) {
      if (reader.field === 2) version = reader.text()
      else reader.skip()
    }
    return version
  },
}
