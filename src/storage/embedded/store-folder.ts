import { closeSync, fsyncSync, openSync } from 'node:fs'

/** A name counts as written only when its folder is on disk too. */
export function flushFolder(path: string): void {
  const descriptor = openSync(path, 'r')
  fsyncSync(descriptor)
  closeSync(descriptor)
}
