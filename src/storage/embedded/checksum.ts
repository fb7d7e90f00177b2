/**
 * Every value in LMDB starts with a checksum of its key and content. It is verified when a store is opened (`damage.ts`), not with every
 * read: this detects damage of the closed file, and reads cost nothing.
 */
import { crc32 } from 'node:zlib'

export const checksumBytes = 4

/** Writes the checksum before the content that ends at `end`. `key` is the checksum of the key, see `checksumOf`. */
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
