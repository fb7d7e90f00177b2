import { constants } from 'node:fs'
import { chmod, type FileHandle, mkdir, open, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, sep } from 'node:path'
import { pathOnly } from '../../../base/regular-file.js'

const { O_NOFOLLOW } = constants

/** Returns why a path could leave its volume, in upstream's words, or undefined. */
export function subPathProblem(subPath: string): string | undefined {
  if (isAbsolute(subPath)) return `error SubPath \`${subPath}\` must not be an absolute path`
  if (subPath.split('/').includes('..')) return `unable to provision SubPath \`${subPath}\`: must not contain '..'`
  return undefined
}

/** Returns the real path of a path within a volume. Missing parts are taken literally. Rejects if links lead out of the volume. */
export async function pathWithin(volume: string, path: string): Promise<string> {
  const root = await realpath(volume)
  const { existing, missing } = await existingPart(root, path)
  return join(existing, ...missing)
}

/** Creates missing folders down to the path, with the permissions of the volume. */
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
 * Opens what is at the path now. Later changes by a container do not affect the handle. No step follows links. Rejects if links lead out of
 * the volume.
 */
export async function openSubPath(volume: string, path: string): Promise<FileHandle> {
  const root = await realpath(volume)
  return await openWithin(root, within(root, await realpath(join(root, path))))
}

/** Opens a real path. Rejects if a part of it has become a link since it was resolved. */
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

/** `O_PATH` opens a link itself without an error. Mounting such a handle would follow the link on the host, so this rejects links. */
async function openNoLink(path: string): Promise<FileHandle> {
  const handle = await open(path, pathOnly | O_NOFOLLOW)
  if (!(await handle.stat()).isSymbolicLink()) return handle
  await handle.close()
  throw new Error(`${path} is a link`)
}

function below({ fd }: FileHandle, name: string): string {
  return `/proc/self/fd/${fd}/${name}`
}

/** Returns the existing part of a path, resolved within the root, and the missing names. */
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
