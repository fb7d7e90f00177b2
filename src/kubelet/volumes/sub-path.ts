import {
  chmodSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Mounts } from './mounts.js'
import { subPathFolder } from './places.js'
import type { MountedVolume } from './volumes.js'

/** What a `subPath` must not be, in upstream's words, which containers show. */
export function checkSubPath(subPath: string): void {
  if (subPath.startsWith('/')) throw new Error(`error SubPath \`${subPath}\` must not be an absolute path`)
  if (subPath.split('/').includes('..'))
    throw new Error(`unable to provision SubPath \`${subPath}\`: must not contain '..'`)
}

/**
 * Where a part of a volume is on the host, links followed; folders that are missing are made, with the mode of the volume. Throws if it
 * leads out of the volume. Of volumes that containers write to this is true for the moment only: they may put a link there the next one.
 * `safeSubPath` binds what was found.
 */
export function subPathIn({ path: volume }: Pick<MountedVolume, 'path'>, subPath: string): string {
  checkSubPath(subPath)
  const held = openPart(realpathSync(volume), subPath)
  try {
    return readlinkSync(held.path)
  } finally {
    held.close()
  }
}

export interface SafeSubPath {
  /** The folder of the pod. */
  readonly pod: string
  readonly volumeName: string
  readonly volume: MountedVolume
  readonly subPath: string
  readonly containerName: string
  /** Which of the container's mounts it is. */
  readonly index: number
  readonly mounts: Mounts
}

/** The same, as a path that stays what it is, whatever the pod's containers do to the volume. */
export async function safeSubPath(request: SafeSubPath): Promise<string> {
  const { pod, volumeName, volume, subPath, containerName, index, mounts } = request
  checkSubPath(subPath)
  // Only the kubelet itself writes to these, and others cannot bind.
  if (volume.isReadOnly || !mounts.canBind) return subPathIn(volume, subPath)
  const held = openPart(realpathSync(volume.path), subPath)
  try {
    const target = join(subPathFolder(pod, volumeName, containerName), String(index))
    const isSame = sameFile(held.path, target)
    if (isSame) return target
    if (mounts.within(dirname(target)).includes(target)) await mounts.unmount([target])
    makeTarget(target, statSync(held.path).isDirectory())
    await mounts.bind(held.path, target)
    return target
  } finally {
    held.close()
  }
}

/** A file or folder that is held open: `path` leads to it, and to nothing else, as long as it is. */
interface Held {
  readonly path: string
  close(): void
}

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants
/** Node does not name it: the file is only pointed at, not opened for anything. */
const pathOnly = 0o10000000

/**
 * Opens a part of a volume name by name, none of which may be a link when it is opened: what links there are were followed before, and
 * must lead to a place in the volume.
 */
function openPart(volume: string, subPath: string): Held {
  const { mode } = statSync(volume)
  const names = relativeNames(volume, resolved(volume, subPath))
  let fd = openSync(volume, O_RDONLY | O_DIRECTORY)
  try {
    for (const [i, name] of names.entries()) {
      const next = openOrMake(fd, name, { isLast: i === names.length - 1, mode })
      closeSync(fd)
      fd = next
    }
  } catch (error) {
    closeSync(fd)
    throw error
  }
  const held = fd
  return { path: `/proc/${process.pid}/fd/${held}`, close: () => closeSync(held) }
}

function openOrMake(folder: number, name: string, { isLast, mode }: { isLast: boolean; mode: number }): number {
  const place = `/proc/self/fd/${folder}/${name}`
  const flags = O_NOFOLLOW | pathOnly | (isLast ? 0 : O_DIRECTORY)
  const stats = lstatSync(place, { throwIfNoEntry: false })
  if (stats?.isSymbolicLink()) throw new Error('a link took the place of a folder')
  if (!stats) mkdirSync(place)
  const fd = openSync(place, flags)
  if (!stats) chmodSync(`/proc/self/fd/${fd}`, mode & 0o2777) // whatever the mask of this process is
  return fd
}

/** The part with all links followed that are there, and the rest as it is to be made. */
function resolved(volume: string, subPath: string): string {
  const names = subPath.split('/').filter((name) => name !== '' && name !== '.')
  for (let known = names.length; known > 0; known--) {
    const place = join(volume, ...names.slice(0, known))
    if (!lstatSync(place, { throwIfNoEntry: false })) continue
    return join(realpathSync(place), ...names.slice(known))
  }
  return join(volume, ...names)
}

function relativeNames(volume: string, place: string): readonly string[] {
  if (place === volume) return []
  if (!place.startsWith(`${volume}/`)) throw new Error('the sub-path leads out of its volume')
  return place.slice(volume.length + 1).split('/')
}

function sameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }))
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino
}

function makeTarget(target: string, isFolder: boolean): void {
  mkdirSync(dirname(target), { recursive: true, mode: 0o750 })
  const stats = lstatSync(target, { throwIfNoEntry: false })
  if (stats) return
  if (isFolder) mkdirSync(target, { mode: 0o750 })
  else writeFileSync(target, '', { mode: 0o640 })
}
