import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Mounts } from './mounts.js'

const run = promisify(execFile)

/**
 * Unmounts everything in a pod's folder, then removes it. Links are never followed. While anything is mounted, nothing is removed, because
 * it might be user data.
 */
export async function removePodFolder(folder: string, mounts: Mounts): Promise<void> {
  // A mount can hide another one, so the kernel's table is read again.
  for (let points = mounts.within(folder); points.length > 0; ) {
    await mounts.unmount(points)
    const left = mounts.within(folder)
    if (left.length >= points.length) throw new Error(`${left[0]} cannot be unmounted`)
    points = left
  }
  await removeTree(folder)
}

/** Removes a folder of any depth. Links are never followed. Nothing may be mounted in it. */
export async function removeTree(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENAMETOOLONG') throw error
    return removeDeep(folder)
  })
}

/** Containers can nest folders deeper than any path can name. `rm` does not use whole paths. */
async function removeDeep(folder: string): Promise<void> {
  await run('rm', ['-rf', '--one-file-system', '--', folder])
}
