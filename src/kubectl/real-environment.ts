import { createReadStream, promises as disk, readFileSync, type Stats, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { systemRandom } from '../base/random.js'
import { isMissing } from '../client/host-access.js'
import type { FileInfo, LocalFiles, RunInForeground } from './environment.js'
import type { CacheFiles } from './factory/disk-discovery.js'

/** The files of this computer. */
export const realFiles: LocalFiles = {
  async entries(path) {
    const found = await disk.stat(path)
    return found.isDirectory() ? (await disk.readdir(path)).sort() : undefined
  },
  bytes: (path) => disk.readFile(path),
  async lstat(path) {
    const found = await unlessMissing(disk.lstat(path))
    if (!found) return undefined
    const { size, uid, gid, mode } = found
    const target = found.isSymbolicLink() ? await disk.readlink(path) : ''
    return { type: typeOf(found), size, uid, gid, mode: mode & 0o7777, target }
  },
  async *chunks(path, size) {
    if (size === 0) return
    let left = size
    for await (const chunk of createReadStream(path, { end: size - 1, highWaterMark: 1 << 18 })) {
      left -= chunk.length
      yield chunk
    }
    if (left > 0) throw new Error(`${path} became shorter while it was read`)
  },
  async write(path, content) {
    const file = await disk.open(path, 'w')
    try {
      for await (const chunk of content) await file.writeFile(chunk)
    } finally {
      await file.close()
    }
  },
  async makeDirectory(path) {
    await disk.mkdir(path, { recursive: true, mode: 0o755 })
  },
  temporaryDirectory: (prefix) => disk.mkdtemp(join(tmpdir(), prefix)),
  async temporaryFile({ prefix, suffix, content }) {
    for (;;) {
      const path = join(tmpdir(), `${prefix}${systemRandom().integer(2 ** 32)}${suffix}`)
      try {
        await disk.writeFile(path, content, { flag: 'wx', mode: 0o600 })
        return path
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      }
    }
  },
  removeTree: (path) => disk.rm(path, { recursive: true, force: true }),
  async matches(pattern) {
    let found = [pattern.startsWith('/') ? '/' : '']
    for (const part of pattern.split('/').filter((each) => each !== ''))
      found = (await Promise.all(found.map((folder) => matchesIn(folder, part)))).flat()
    return found
  },
}

function typeOf(found: Stats): FileInfo['type'] {
  if (found.isFile()) return 'file'
  if (found.isDirectory()) return 'directory'
  return found.isSymbolicLink() ? 'link' : 'other'
}

async function unlessMissing<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found
  } catch (error) {
    if (isMissing(error) || (error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined
    throw error
  }
}

async function matchesIn(folder: string, part: string): Promise<string[]> {
  if (!/[*?[]/.test(part)) return [join(folder, part)]
  const wanted = new RegExp(
    `^${part
      .replace(/[.+^${}()|\\]/g, '\\$&')
      .replaceAll('*', '[^/]*')
      .replaceAll('?', '[^/]')}$`,
  )
  const names = await disk.readdir(folder === '' ? '.' : folder).catch((error: unknown) => {
    if (isMissing(error) || (error as NodeJS.ErrnoException).code === 'ENOTDIR') return []
    throw error
  })
  return names
    .filter((name) => wanted.test(name))
    .sort()
    .map((name) => join(folder, name))
}

/** The discovery cache on disk. Errors of the file system are ignored: kubectl works without a cache. */
export const realCacheFiles: CacheFiles = {
  /** Reads synchronously: the files are small, there are dozens of them, and nothing else runs meanwhile. */
  async read(path, notBefore) {
    try {
      return statSync(path).mtimeMs < notBefore ? undefined : readFileSync(path, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== undefined) return undefined
      throw error
    }
  },
  async write(path, content) {
    const unfinished = `${path}.${process.pid}${systemRandom().integer(1e9)}`
    try {
      await disk.mkdir(dirname(path), { recursive: true, mode: 0o750 })
      await disk.writeFile(unfinished, content, { mode: 0o660 })
      await disk.chmod(unfinished, 0o660)
      await disk.rename(unfinished, path)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === undefined) throw error
    }
  },
}

/** Runs a program on the terminal of this process. */
export const runInForeground: RunInForeground = async ({ command, args, variables }) => {
  const { spawn } = await import('node:child_process')
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args], { env: variables, stdio: 'inherit' })
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? undefined))
  })
}
