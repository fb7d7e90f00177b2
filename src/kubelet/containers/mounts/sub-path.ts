import { constants } from 'node:fs'
import { chmod, type FileHandle, mkdir, open, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'
import { pathOnly } from '../../../base/regular-file.js'

const { O_NOFOLLOW } = constants

/** What is wrong with a path that should stay within a volume, in upstream's words; undefined if nothing is. */
export function subPathProblem(subPath: string): string | undefined {
  if (isAbsolute(subPath)) return `error SubPath \`${subPath}\` must not be an absolute path`
  if (subPath.split('/').includes('..')) return `unable to provision SubPath \`${subPath}\`: must not contain '..'`
  return undefined
}

/** Where a path within a volume really is. Rejects if links lead out of the volume. What is not there yet is taken by its name. */
export async function pathWithin(volume: string, path: string): Promise<string> {
  const root = await realpath(volume)
  const { existing, missing } = await existingPart(root, path)
  return join(existing, ...missing)
}

/** Folders from the volume to the path are made where they are missing, with the volume's own permissions. */
export async function createWithin(volume: string, path: string): Promise<void> {
  const root = await realpath(volume)
  const { existing, missing } = await existingPart(root, path)
  if (missing.length === 0) return
  const { mode } = await stat(root)
  let parent = await openWithin(root, existing)
  try {
    for (const name of missing) {
      await mkdir(below(parent, name)).catch(unlessThere)
      const child = await openNoLink(below(parent, name))
      await parent.close()
      parent = child
      await chmod(`/proc/self/fd/${parent.fd}`, mode & 0o7777)
    }
  } finally {
    await parent.close()
  }
}

/**
 * A handle on what is there now: nothing that a container does to the volume afterwards leads anywhere else. Every step from the
 * volume down is taken without following links. Rejects if links lead out of the volume.
 */
export async function openSubPath(volume: string, path: string): Promise<FileHandle> {
  const root = await realpath(volume)
  return await openWithin(root, within(root, await realpath(join(root, path))))
}

/** Of a real path. Rejects if a part of it is a link after all: then a container has put it there since the path was found. */
export async function openWithin(root: string, path: string): Promise<FileHandle> {
  let handle = await openNoLink(root)
  const names = relative(root, path)
  for (const name of names === '' ? [] : names.split(sep)) {
    const parent = handle
    try {
      handle = await openNoLink(below(parent, name))
    } finally {
      await parent.close()
    }
  }
  return handle
}

/** A link is not followed but opened itself, without an error. Whoever mounted that would have the runtime follow it, on the node. */
async function openNoLink(path: string): Promise<FileHandle> {
  const handle = await open(path, pathOnly | O_NOFOLLOW)
  if (!(await handle.stat()).isSymbolicLink()) return handle
  await handle.close()
  throw new Error(`${path} is a link`)
}

function below({ fd }: FileHandle, name: string): string {
  return `/proc/self/fd/${fd}/${name}`
}

/** How much of a path is there: as a real path within the root, and the names that are missing below it. */
async function existingPart(root: string, path: string): Promise<{ existing: string; missing: readonly string[] }> {
  const names = path.split('/').filter((name) => name !== '' && name !== '.')
  for (let count = names.length; count > 0; count--) {
    const found = await realpath(join(root, ...names.slice(0, count))).catch(unlessMissing)
    if (found !== undefined) return { existing: within(root, found), missing: names.slice(count) }
  }
  return { existing: root, missing: names }
}

function within(root: string, path: string): string {
  if (path !== root && !path.startsWith(`${root}/`)) throw new Error(`${path} is not within ${root}`)
  return path
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

function unlessThere(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'EEXIST') throw error
}
