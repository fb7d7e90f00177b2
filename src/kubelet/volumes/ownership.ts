import { chmodSync, lchownSync, lstatSync, readdirSync, type Stats } from 'node:fs'
import { join } from 'node:path'

const groupReads = 0o440
const groupWrites = 0o660
const groupEnters = 0o110
/** New files in a folder inherit its group. */
const setGroupId = 0o2000

/**
 * Changes the group of a volume and its contents (`fsGroup`). These volumes are new when this runs, so `fsGroupChangePolicy` does not
 * matter.
 */
export function setGroupOwnership(path: string, group: number, isReadOnly: boolean): void {
  const stats = lstatSync(path)
  lchownSync(path, stats.uid, group)
  if (stats.isSymbolicLink()) return
  chmodSync(path, (stats.mode & 0o7777) | bitsFor(stats, isReadOnly))
  if (!stats.isDirectory()) return
  for (const name of readdirSync(path)) setGroupOwnership(join(path, name), group, isReadOnly)
}

function bitsFor(stats: Stats, isReadOnly: boolean): number {
  const access = isReadOnly ? groupReads : groupWrites
  return stats.isDirectory() ? access | groupEnters | setGroupId : access
}
