/**
 * Every value in the store begins with a checksum over its key and the rest of it. It is looked at when a store is opened
 * (`damage.ts`), not at every read: what the disk did to the file while it was closed is found out, and reads cost nothing.
 */
import { crc32 } from 'node:zlib'

export const checksumBytes = 4

/** Puts the checksum before what was written up to `end`. The key is given as its own checksum, see `checksumOf`. */
export function writeChecksum(target: Buffer, start: number, end: number, key: number): void {
  target.writeUInt32LE(crc32(target.subarray(start + checksumBytes, end), key), start)
}

export function hasValidChecksum(value: Buffer, key: Buffer): boolean {
  if (value.length < checksumBytes) return false
  return value.readUInt32LE(0) === crc32(value.subarray(checksumBytes), crc32(key))
}

export function checksumOf(key: string | Buffer): number {
  return crc32(key)
}
