import type { Stats } from 'node:fs'
import { lstat, mkdir, rmdir, stat, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { mountsIn } from '../../../cri/containerd/left-overs.js'
import type { Mounts } from '../../volumes/mounts.js'
import { openSubPath } from './sub-path.js'

/** Makes a thing appear in a second place. */
export interface BindMounts {
  mount(source: string, target: string): Promise<void>
  unmount(target: string): Promise<void>
}

/** Undefined where nothing can be bound, because nothing runs for real. */
export function bindMountsFrom(mounts: Pick<Mounts, 'bind' | 'canBind' | 'unmount'>): BindMounts | undefined {
  if (!mounts.canBind) return undefined
  return { mount: (source, target) => mounts.bind(source, target), unmount: (target) => mounts.unmount([target]) }
}

export interface SubPathMount {
  readonly volume: string
  readonly subPath: string
  /** Where it is to appear; what appeared there before is replaced, unless it is the same. */
  readonly target: string
}

/**
 * What is at the sub-path now is mounted in a place that no container can write to, and that place is told to the runtime: otherwise a
 * container could put a link in its stead before the runtime looks, and so get at any file of the node.
 */
export async function mountSubPath({ volume, subPath, target }: SubPathMount, mounts: BindMounts): Promise<void> {
  const handle = await openSubPath(volume, subPath)
  try {
    const wanted = await handle.stat()
    const present = await stat(target).catch(unlessMissing)
    if (present && isSame(present, wanted)) return
    if (present && mountsIn(dirname(target)).includes(target)) await mounts.unmount(target)
    if (present) await removeMountPoint(target)
    await createMountPoint(target, wanted)
    await mounts.mount(`/proc/${process.pid}/fd/${handle.fd}`, target)
  } finally {
    await handle.close()
  }
}

/** `volume-subpaths/<volume>/<container>/<index of the mount>`, below the pod's folder: whoever removes the pod's volumes unmounts it. */
export function subPathTarget(podFolder: string, volume: string, container: string, index: number): string {
  return join(podFolder, 'volume-subpaths', volume, container, String(index))
}

async function createMountPoint(target: string, wanted: Stats): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: 0o750 })
  if (wanted.isDirectory()) await mkdir(target, { mode: 0o750, recursive: true })
  else await writeFile(target, '', { mode: 0o640 })
}

/** Takes away an empty place only: should something still be mounted there, nothing of it is lost. */
async function removeMountPoint(target: string): Promise<void> {
  if ((await lstat(target)).isDirectory()) await rmdir(target)
  else await unlink(target)
}

function isSame(left: Stats, right: Stats): boolean {
  return left.dev === right.dev && left.ino === right.ino
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
