import { lstatSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dnsLabel } from '../../schema/names.js'

/** The file that makes a directory the data directory of a cluster. Without it, nothing in a directory is ever deleted. */
export const markerFile = 'proa-cluster.json'

/** The temporary name of the marker while it is written. A crash may leave it behind. */
export const unfinishedMarkerFile = `${markerFile}.new`

const kind = 'ProaDataDirectory'

export interface Marker {
  /** The name of the cluster. */
  readonly name: string
  /** The version of Proa that claimed the directory. */
  readonly version: string
  readonly createdAt: string
  /** Whether Proa created the directory. One that existed before stays when the cluster is deleted. */
  readonly isDirectoryMade: boolean
}

/** Thrown if Proa did not write the marker file, or if it was changed. */
export class MarkerError extends Error {
  override readonly name = 'MarkerError'
}

/** Reads the marker of a data directory. Returns undefined if there is no marker or no such directory. */
export function readMarker(dataDirectory: string): Marker | undefined {
  const path = join(dataDirectory, markerFile)
  if (!exists(path)) return undefined
  const marker = parseMarker(path)
  if (!marker)
    throw new MarkerError(`${path} is not a file that Proa wrote; if it is yours, move it away and try again`)
  return marker
}

/** Returns undefined if the file is not a marker. A symbolic link is never one. */
function parseMarker(path: string): Marker | undefined {
  if (!lstatSync(path).isFile()) return undefined
  try {
    const { kind: given, ...marker } = JSON.parse(readFileSync(path, 'utf8')) as Marker & { readonly kind: unknown }
    const isSound = given === kind && typeof marker.name === 'string' && dnsLabel(marker.name).length === 0
    return isSound ? marker : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Writes the marker atomically. The directory must exist. */
export function writeMarker(dataDirectory: string, marker: Marker): void {
  const unfinished = join(dataDirectory, unfinishedMarkerFile)
  const about =
    `The data of the Proa cluster "${marker.name}" is in this directory. ` +
    'When you run "proa reset", Proa deletes the files that it created here, and only if this file is present.'
  writeFileSync(unfinished, `${JSON.stringify({ kind, about, ...marker }, undefined, 2)}\n`, { mode: 0o600 })
  renameSync(unfinished, join(dataDirectory, markerFile))
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false
    throw error
  }
}
