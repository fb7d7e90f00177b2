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

/** The link that leads to the files as they are now. Programs wait for it to change. */
const dataLink = '..data'
const newDataLink = '..data_tmp'
const generation = /^\.\.\d{4}_\d\d_\d\d_\d\d_\d\d_\d\d\./

export interface AtomicWrite {
  readonly folder: string
  readonly payload: Payload
  /** The time and chance name the folder that the files go to. */
  readonly environment: Pick<Environment, 'clock' | 'random'>
  /** Gives owner and modes to what was written, before anybody sees it. */
  readonly prepare?: (() => void) | undefined
}

/** Brings a volume's files to what they are to be, all at once for whoever reads them. Does nothing when they are that already. */
export function writeAtomically(write: AtomicWrite): void {
  for (const _ of atomicSteps(write)); // each step is one change on disk, after which all could end
}

/**
 * Files are in a folder of their own for each generation; a link leads to the present one, and is replaced in one step; what a container
 * sees by name are links through that link. Who follows the first link once sees one generation and never a mixture. After a crash at
 * any step the next write finds its way. Yields after each change on disk.
 */
export function* atomicSteps(write: AtomicWrite): Generator<void> {
  const { folder } = write
  const files = cleaned(write.payload)
  let current = linkTarget(join(folder, dataLink))
  if (current === undefined || !holds(join(folder, current), files)) {
    const made = newGeneration(folder, write.environment)
    yield
    yield* becomesPresent(made, { ...write, payload: files })
    current = basename(made)
    yield
  }
  yield* visibleLinks(folder, files)
  yield* clearedAway(folder, current)
}

/** If that goes wrong the new generation is taken away: it will be tried again and again, and each would leave one. */
function* becomesPresent(made: string, { folder, payload, prepare }: AtomicWrite): Generator<void> {
  try {
    yield* writtenFiles(made, payload)
    prepare?.()
    yield
    rmSync(join(folder, newDataLink), { force: true })
    symlinkSync(basename(made), join(folder, newDataLink))
    yield
    renameSync(join(folder, newDataLink), join(folder, dataLink))
  } catch (error) {
    rmSync(made, { recursive: true, force: true })
    throw error
  }
}

function cleaned(payload: Payload): Payload {
  for (const path of payload.keys()) checkVolumeFilePath(path)
  return new Map([...payload].map(([path, file]) => [normalize(path), file]))
}

/** `..2026_01_31_12_30_00.123456789`, which others must be able to enter, whatever the mask of this process is. */
function newGeneration(folder: string, { clock, random }: AtomicWrite['environment']): string {
  const time = new Date(clock.now()).toISOString().slice(0, 19).replace(/[-T:]/g, '_')
  const made = join(folder, `..${time}.${random.integer(2 ** 32)}`)
  mkdirSync(made)
  chmodSync(made, 0o755)
  return made
}

function* writtenFiles(folder: string, files: Payload): Generator<void> {
  for (const [path, file] of files) {
    const place = join(folder, path)
    if (path.includes('/')) mkdirSync(dirname(place), { recursive: true, mode: 0o777 })
    writeFileSync(place, volumeFileBytes(file), { mode: file.mode & 0o777 })
    chmodSync(place, file.mode & 0o7777) // whatever the mask of this process is
    if (file.owner !== undefined) lchownSync(place, file.owner, lstatSync(place).gid)
    yield
  }
}

/** Names at the top of the volume. One that is there as a folder is the mount point of something else, and stays. */
function* visibleLinks(folder: string, files: Payload): Generator<void> {
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

/** Generations that nobody needs: the one before, and what a crash left. */
function* clearedAway(folder: string, current: string): Generator<void> {
  for (const name of readdirSync(folder)) {
    const isLeft = name === newDataLink || (generation.test(name) && name !== current)
    if (!isLeft) continue
    rmSync(join(folder, name), { recursive: true })
    yield
  }
}

/** Whether exactly these files are there, with these contents. Modes are as they were given, once and for all. */
function holds(folder: string, files: Payload): boolean {
  const there = filesIn(folder)
  if (there?.size !== files.size) return false
  for (const [path, file] of files)
    if (!there.has(path) || !readFileSync(join(folder, path)).equals(volumeFileBytes(file))) return false
  return true
}

/** Undefined if there is no such folder. */
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

/** Undefined for what is no link, or not there. */
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
