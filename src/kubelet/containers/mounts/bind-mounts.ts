import type { Stats } from 'node:fs'
import { lstat, mkdir, rmdir, stat, unlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { mountsIn } from '../../../cri/containerd/leftovers.js'
import type { Mounts } from '../../volumes/mounts.js'
import { openSubPath } from './sub-path.js'

/** Bind mounts: make a file or folder appear at a second path. */
export interface BindMounts {
  mount(source: string, target: string): Promise<void>
  unmount(target: string): Promise<void>
}

/** Returns undefined on a simulated host, where nothing can be mounted. */
export function bindMountsFrom(mounts: Pick<Mounts, 'bind' | 'canBind' | 'unmount'>): BindMounts | undefined {
  if (!mounts.canBind) return undefined
  return { mount: (source, target) => mounts.bind(source, target), unmount: (target) => mounts.unmount([target]) }
}

export interface SubPathMount {
  readonly volume: string
  readonly subPath: string
  /** Mount point. A present mount is replaced unless it shows the same file. */
  readonly target: string
}

/**
 * Mounts the sub-path to a path that no container can write to, and passes that path to the runtime. Otherwise a container could replace
 * the sub-path by a link before the runtime opens it, and so reach any file of the host.
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

/** Returns `volume-subpaths/<volume>/<container>/<mount index>` below the pod's folder. Removing the pod's volumes unmounts it. */
export function subPathTarget(podFolder: string, volume: string, container: string, index: number): string {
  return join(podFolder, 'volume-subpaths', volume, container, String(index))
}

async function createMountPoint(target: string, wanted: Stats): Promise<void> {
  await mkdir(dirname(target), { recursive: true, mode: 0o750 })
  if (wanted.isDirectory()) await mkdir(target, { mode: 0o750, recursive: true })
  else await writeFile(target, '', { mode: 0o640 })
}

/** Removes only an empty mount point, so that nothing that is still mounted is lost. */
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
