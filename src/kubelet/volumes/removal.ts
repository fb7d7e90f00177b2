import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Mounts } from './mounts.js'

const run = promisify(execFile)

/**
 * Removes a pod's folder. Links are removed, never followed; what is mounted in it is unmounted first, and while anything still is,
 * nothing is removed: it might be somebody's data.
 */
export async function removePodFolder(folder: string, mounts: Mounts): Promise<void> {
  // One mount may cover another: after a round the kernel is asked again.
  for (let points = mounts.within(folder); points.length > 0; ) {
    await mounts.unmount(points)
    const left = mounts.within(folder)
    if (left.length >= points.length) throw new Error(`${left[0]} cannot be unmounted`)
    points = left
  }
  await removeTree(folder)
}

/** Removes a folder with everything in it, however deep. Links are removed, never followed. Nothing may be mounted in it. */
export async function removeTree(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENAMETOOLONG') throw error
    return removeDeep(folder)
  })
}

/** A container can nest folders deeper than any path can name. The program goes from folder to folder instead, and names none as a whole. */
async function removeDeep(folder: string): Promise<void> {
  await run('rm', ['-rf', '--one-file-system', '--', folder])
}
