import {
  chmodSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import type { Environment } from '../../base/environment.js'
import { checkVolumeFilePath, type Payload, volumeFileBytes } from './payload.js'

/** The link to the current generation of files. Programs watch it for changes. */
const dataLink = '..data'
const newDataLink = '..data_tmp'
const generation = /^\.\.\d{4}_\d\d_\d\d_\d\d_\d\d_\d\d\./

export interface AtomicWrite {
  readonly folder: string
  readonly payload: Payload
  /** Clock and random name the folder of a generation. */
  readonly environment: Pick<Environment, 'clock' | 'random'>
  /** Sets owner and modes before the files become visible. */
  readonly prepare?: (() => void) | undefined
}

/** Replaces the files of a volume atomically. Does nothing if they are up to date. */
export function writeAtomically(write: AtomicWrite): void {
  for (const _ of atomicSteps(write)); // each step is one change on disk, after which a crash is possible
}

/**
 * Each generation of files has a folder. The link `..data` points to the current one and is replaced atomically; the visible names are
 * links through it. A reader that resolves `..data` once sees one generation, never a mixture. The next write recovers from a crash at any
 * step. Yields after each change on disk.
 */
export function* atomicSteps(write: AtomicWrite): Generator<void> {
  const { folder } = write
  const files = cleaned(write.payload)
  let current = linkTarget(join(folder, dataLink))
  if (current === undefined || !hasFiles(join(folder, current), files)) {
    const generationFolder = newGeneration(folder, write.environment)
    yield
    yield* activate(generationFolder, { ...write, payload: files })
    current = basename(generationFolder)
    yield
  }
  yield* updateLinks(folder, files)
  yield* removeOld(folder, current)
}

/** Removes the new generation on failure, because every retry would leave another one. */
function* activate(generationFolder: string, { folder, payload, prepare }: AtomicWrite): Generator<void> {
  try {
    yield* writeFiles(generationFolder, payload)
    prepare?.()
    yield
    rmSync(join(folder, newDataLink), { force: true })
    symlinkSync(basename(generationFolder), join(folder, newDataLink))
    yield
    renameSync(join(folder, newDataLink), join(folder, dataLink))
  } catch (error) {
    rmSync(generationFolder, { recursive: true, force: true })
    throw error
  }
}

function cleaned(payload: Payload): Payload {
  for (const path of payload.keys()) checkVolumeFilePath(path)
  return new Map([...payload].map(([path, file]) => [normalize(path), file]))
}

/** Creates `..2026_01_31_12_30_00.123456789` with mode 0755, whatever the umask. */
function newGeneration(folder: string, { clock, random }: AtomicWrite['environment']): string {
  const time = new Date(clock.now()).toISOString().slice(0, 19).replace(/[-T:]/g, '_')
  const generationFolder = join(folder, `..${time}.${random.integer(2 ** 32)}`)
  mkdirSync(generationFolder)
  chmodSync(generationFolder, 0o755)
  return generationFolder
}

function* writeFiles(folder: string, files: Payload): Generator<void> {
  for (const [path, file] of files) {
    const target = join(folder, path)
    if (path.includes('/')) mkdirSync(dirname(target), { recursive: true, mode: 0o777 })
    writeFileSync(target, volumeFileBytes(file), { mode: file.mode & 0o777 })
    chmodSync(target, file.mode & 0o7777) // whatever the umask
    if (file.owner !== undefined) lchownSync(target, file.owner, lstatSync(target).gid)
    yield
  }
}

/** Creates the links at the top of the volume. An existing folder is a mount point of another volume and stays. */
function* updateLinks(folder: string, files: Payload): Generator<void> {
  const names = new Set([...files.keys()].map((path) => path.split('/', 1)[0]!))
  const there = new Set(readdirSync(folder))
  for (const name of names) {
    if (there.has(name)) continue
    symlinkSync(join(dataLink, name), join(folder, name))
    yield
  }
  for (const name of there) {
    if (name.startsWith('..') || names.has(name)) continue
    if (linkTarget(join(folder, name)) !== join(dataLink, name)) continue
    unlinkSync(join(folder, name))
    yield
  }
}

/** Removes old generations and the remains of crashes. */
function* removeOld(folder: string, current: string): Generator<void> {
  for (const name of readdirSync(folder)) {
    const isLeft = name === newDataLink || (generation.test(name) && name !== current)
    if (!isLeft) continue
    rmSync(join(folder, name), { recursive: true })
    yield
  }
}

/** Returns whether the folder holds exactly these files and contents. Modes never change. */
function hasFiles(folder: string, files: Payload): boolean {
  const there = filesIn(folder)
  if (there?.size !== files.size) return false
  for (const [path, file] of files)
    if (!there.has(path) || !readFileSync(join(folder, path)).equals(volumeFileBytes(file))) return false
  return true
}

/** Returns undefined if the folder does not exist. */
function filesIn(folder: string): ReadonlySet<string> | undefined {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    return new Set(
      entries
        .filter((entry) => !entry.isDirectory())
        .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1)),
    )
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Returns undefined if the path is not a link or does not exist. */
function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'EINVAL')) return undefined
    throw error
  }
}

function isCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code
}
