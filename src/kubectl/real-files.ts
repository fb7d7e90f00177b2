import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { systemRandom } from '../base/random.js'
import { isMissing } from '../client/machine.js'
import type { CacheFiles } from './factory/disk-discovery.js'
import type { Folders } from './surroundings.js'

/** Those of the machine that this runs on. */
export const realFolders: Folders = {
  async entries(path) {
    const found = await stat(path)
    return found.isDirectory() ? (await readdir(path)).sort() : undefined
  },
  bytes: (path) => readFile(path),
  temporary: (prefix) => mkdtemp(join(tmpdir(), prefix)),
  async temporaryFile({ prefix, suffix, content }) {
    for (;;) {
      const path = join(tmpdir(), `${prefix}${systemRandom().integer(2 ** 32)}${suffix}`)
      try {
        await writeFile(path, content, { flag: 'wx', mode: 0o600 })
        return path
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
    }
  },
  removeTree: (path) => rm(path, { recursive: true, force: true }),
  async matches(pattern) {
    let found = [pattern.startsWith('/') ? '/' : '']
    for (const part of pattern.split('/').filter((each) => each !== ''))
      found = (await Promise.all(found.map((folder) => matchesIn(folder, part)))).flat()
    return found
  },
}

async function matchesIn(folder: string, part: string): Promise<string[]> {
  if (!/[*?[]/.test(part)) return [join(folder, part)]
  const wanted = new RegExp(
    `^${part
      .replace(/[.+^${}()|\\]/g, '\\$&')
      .replaceAll('*', '[^/]*')
      .replaceAll('?', '[^/]')}$`,
  )
  const names = await readdir(folder === '' ? '.' : folder).catch((error: unknown) => {
    if (isMissing(error) || (error as NodeJS.ErrnoException).code === 'ENOTDIR') return []
    throw error
  })
  return names
    .filter((name) => wanted.test(name))
    .sort()
    .map((name) => join(folder, name))
}

/** A cache that cannot be read or written is none; that is no reason to fail. */
export const realCacheFiles: CacheFiles = {
  /** All at once: each of these files is small, there are dozens of them, and nothing else goes on meanwhile. */
  async read(path, notBefore) {
    try {
      const file = openSync(path, 'r')
      try {
        return fstatSync(file).mtimeMs < notBefore ? undefined : readFileSync(file, 'utf8')
      } finally {
        closeSync(file)
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== undefined) return undefined
      throw error
    }
  },
  async write(path, content) {
    const unfinished = `${path}.${process.pid}${systemRandom().integer(1e9)}`
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o750 })
      await writeFile(unfinished, content, { mode: 0o660 })
      await chmod(unfinished, 0o660)
      await rename(unfinished, path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error
    }
  },
}
