import { closeSync, constants, mkdirSync, openSync, type Stats, statSync } from 'node:fs'
import type { HostPathVolumeSource } from '../../api/core/v1/volume.js'

/** Expected file types, with their names in messages. */
const wanted: Readonly<Record<string, { readonly called: string; readonly is: (stats: Stats) => boolean }>> = {
  Directory: { called: 'directory', is: (stats) => stats.isDirectory() },
  File: { called: 'file', is: (stats) => !stats.isDirectory() },
  Socket: { called: 'socket file', is: (stats) => stats.isSocket() },
  CharDevice: { called: 'character device', is: (stats) => stats.isCharacterDevice() },
  BlockDevice: { called: 'block device', is: (stats) => stats.isBlockDevice() },
}

/** Checks the type of a host path, or creates it. Without a type, anything is allowed. */
export function ensureHostPath({ path, type = '' }: HostPathVolumeSource): void {
  if (path.split('/').includes('..')) throw new Error(`invalid HostPath \`${path}\`: must not contain '..'`)
  if (type === '') return
  const stats = statSync(path, { throwIfNoEntry: false })
  const [, base = type, orCreate] = /^(Directory|File)(OrCreate)$/.exec(type) ?? []
  if (orCreate && !stats) {
    createHostPath(path, base)
    return
  }
  const what = wanted[base]
  if (!what) throw new Error(`${type} is an invalid volume type`)
  if (!stats || !what.is(stats)) throw new Error(`hostPath type check failed: ${path} is not a ${what.called}`)
}

function createHostPath(path: string, what: string): void {
  if (what === 'Directory') mkdirSync(path, { recursive: true, mode: 0o755 })
  else closeSync(openSync(path, constants.O_CREAT | constants.O_RDONLY, 0o644))
}
