import { lstatSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dnsLabel } from '../../schema/names.js'

/** The file that makes a directory the data directory of a cluster. Without it, nothing in a directory is ever deleted. */
export const markerFile = 'proa-cluster.json'

/** The marker while it is written. A crash may leave it behind. */
export const unfinishedMarkerFile = `${markerFile}.new`

const kind = 'ProaDataDirectory'

export interface Marker {
  /** Of the cluster. */
  readonly name: string
  /** The version of Proa that made the directory. */
  readonly version: string
  readonly createdAt: string
  /** Whether Proa made the directory itself. One that was there before stays when the cluster is deleted. */
  readonly isDirectoryMade: boolean
}

/** There is a marker file that Proa did not write, or that somebody changed. */
export class MarkerError extends Error {
  override readonly name = 'MarkerError'
}

/** The marker of a data directory; undefined where there is none, or no such directory. */
export function readMarker(dataDirectory: string): Marker | undefined {
  const path = join(dataDirectory, markerFile)
  if (!exists(path)) return undefined
  const marker = parseMarker(path)
  if (!marker)
    throw new MarkerError(`${path} is not a file that Proa wrote; if it is yours, move it away and try again`)
  return marker
}

/** Undefined for what is not a marker. A link is none, wherever it leads. */
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

/** The directory must exist. The marker appears whole or not at all. */
export function writeMarker(dataDirectory: string, marker: Marker): void {
  const unfinished = join(dataDirectory, unfinishedMarkerFile)
  const about =
    `The data of the Proa cluster "${marker.name}" is in this directory. ` +
    'Proa deletes what it made here when you run "proa reset", and only while this file is here.'
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
