import type { Buffer } from 'node:buffer'
import { WireReader } from '../../../base/protobuf/reader.js'
import { WireWriter } from '../../../base/protobuf/writer.js'
import type { GrantedLease, LeaseId } from '../../store.js'
import type { EtcdMethod } from './method.js'

export const grantMethod: EtcdMethod<number, GrantedLease> = {
  path: '/etcdserverpb.Lease/LeaseGrant',
  encode(seconds) {
    const writer = new WireWriter(16)
    writer.number(1, seconds)
    return writer.finish()
  },
  decode: decodeLease,
}

/** A stream of requests and responses in turn. The response for an unknown lease has 0 seconds. */
export const keepAliveMethod: EtcdMethod<LeaseId, GrantedLease> = {
  path: '/etcdserverpb.Lease/LeaseKeepAlive',
  encode: encodeLeaseId,
  decode: decodeLease,
}

export const revokeMethod: EtcdMethod<LeaseId, void> = {
  path: '/etcdserverpb.Lease/LeaseRevoke',
  encode: encodeLeaseId,
  decode: () => {},
}

function encodeLeaseId(id: LeaseId): Buffer {
  const writer = new WireWriter(16)
  writer.bigint(1, BigInt(id))
  return writer.finish()
}

/** Both responses have the same layout. */
function decodeLease(message: Buffer): GrantedLease {
  const reader = new WireReader(message)
  let id = '0'
  let seconds = 0
  while (reader.next()) {
    if (reader.field === 2) id = reader.decimal()
    else if (reader.field === 3) seconds = reader.number()
    else reader.skip()
  }
  return { id, seconds }
}
