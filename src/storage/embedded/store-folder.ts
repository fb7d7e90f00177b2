/** The folder of a store: the names of LMDB's files, and what the file system needs besides reads and writes. */
import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs'

/** LMDB's own names. */
export const dataFile = 'data.mdb'
export const lockFile = 'lock.mdb'

/** Creates the folder if it is missing, and makes it accessible to its owner only. */
export function createPrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  chmodSync(path, 0o700)
}

/** Flushes the folder itself: a new file name is durable only after that. */
export function flushFolder(path: string): void {
  const descriptor = openSync(path, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
