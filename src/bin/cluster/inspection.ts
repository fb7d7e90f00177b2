import { lstatSync, readdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Marker, markerFile, readMarker, unfinishedMarkerFile } from './marker.js'
import { foreignEntries } from './removal.js'

/** Thrown if a directory is not the data directory of a cluster, or cannot become one. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError'
}

/** Who created a directory. `older`: an older version of Proa, which wrote no marker, created everything in it. */
export type DirectoryState =
  | { readonly is: 'absent' | 'empty' | 'older' }
  | { readonly is: 'marked'; readonly marker: Marker }
  | { readonly is: 'foreign'; readonly why: string }

/** Finds out who created a directory. Changes nothing. */
export function inspectDirectory(dataDirectory: string): DirectoryState {
  const reserved = whyReserved(dataDirectory)
  if (reserved !== undefined) return { is: 'foreign', why: `${dataDirectory} is ${reserved}` }
  const status = statSync(dataDirectory, { throwIfNoEntry: false })
  if (!status && isLink(dataDirectory)) return { is: 'foreign', why: `${dataDirectory} is a link that leads nowhere` }
  if (!status) return { is: 'absent' }
  if (!status.isDirectory()) return { is: 'foreign', why: `${dataDirectory} is not a directory` }
  const marker = readMarker(dataDirectory)
  return marker ? { is: 'marked', marker } : inspectUnmarked(dataDirectory)
}

/** Whether there is a data directory of Proa. Throws if Proa did not create the directory: then nothing in it may be stopped or deleted. */
export function isDataDirectory(dataDirectory: string): boolean {
  const state = inspectDirectory(dataDirectory)
  if (state.is === 'foreign') throw new DataDirectoryError(`${state.why}; nothing was changed`)
  return state.is === 'marked' || state.is === 'older'
}

function inspectUnmarked(dataDirectory: string): DirectoryState {
  // A killed process may have left an unfinished marker. It does not count.
  const entries = readdirSync(dataDirectory).filter((name) => name !== unfinishedMarkerFile)
  if (entries.length === 0) return { is: 'empty' }
  const foreign = isLikeOlder(dataDirectory) ? foreignEntries(dataDirectory) : undefined
  if (foreign?.length === 0) return { is: 'older' }
  const why = foreign
    ? `an older version of Proa may have made ${dataDirectory}, but not ${enumerated(foreign)}: move that away and try again`
    : `${dataDirectory} is not a data directory of Proa: it has ${enumerated(entries)}, and no ${markerFile}`
  return { is: 'foreign', why }
}

/** Whether the directory has the keys and the data of a cluster. */
function isLikeOlder(dataDirectory: string): boolean {
  const has = (path: string) => isFile(join(dataDirectory, path))
  return has('pki/ca.crt') && has('pki/sa.key') && (has('store/data.mdb') || has('admin.kubeconfig'))
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

function whyReserved(dataDirectory: string): string | undefined {
  if (dataDirectory === '/') return 'the root directory, and cannot be a data directory'
  return dataDirectory === resolve(homedir()) ? 'your home directory, and cannot be a data directory' : undefined
}

/** `a, b, c and 4 more` */
export function enumerated(names: readonly string[], most = 3): string {
  const shown = names.slice(0, most).join(', ')
  return names.length > most ? `${shown} and ${names.length - most} more` : shown
}
