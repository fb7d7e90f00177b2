import { type Dirent, readdirSync, rmdirSync, rmSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { removeTree } from '../../kubelet/volumes/removal.js'
import { contents, type OwnedEntry } from './contents.js'
import { markerFile } from './marker.js'

/**
 * Deletes the entries that Proa created in a data directory, and the marker last. Never follows links: a link in the place of a file or
 * directory of Proa is not Proa's, and stays. Resolves with the paths that stay.
 */
export async function removeContents(dataDirectory: string): Promise<readonly string[]> {
  const kept = await removeOwned(dataDirectory, contents)
  const marker = join(dataDirectory, markerFile)
  rmSync(marker, { force: true })
  return kept.filter((path) => path !== marker)
}

/** Returns the paths in a data directory that Proa did not create. Changes nothing. */
export function foreignEntries(dataDirectory: string): readonly string[] {
  return foreignIn(dataDirectory, contents).filter((path) => path !== join(dataDirectory, markerFile))
}

function foreignIn(folder: string, owned: readonly OwnedEntry[]): readonly string[] {
  return entriesOf(folder).flatMap((entry) => {
    const path = join(folder, entry.name)
    const is = ownershipOf(entry, path, owned)
    if (is === 'foreign') return [path]
    return typeof is === 'string' ? [] : foreignIn(path, is)
  })
}

async function removeOwned(folder: string, owned: readonly OwnedEntry[]): Promise<readonly string[]> {
  const kept: string[] = []
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name)
    kept.push(...(await removeEntry(path, ownershipOf(entry, path, owned))))
  }
  return kept
}

async function removeEntry(path: string, is: Ownership): Promise<readonly string[]> {
  if (is === 'foreign') return [path]
  if (is === 'file') unlinkSync(path)
  else if (is === 'tree') await removeTree(path)
  else {
    const kept = await removeOwned(path, is)
    if (kept.length > 0) return kept
    rmdirSync(path)
  }
  return []
}

type Ownership = OwnedEntry['is'] | 'foreign'

function ownershipOf(entry: Dirent, path: string, owned: readonly OwnedEntry[]): Ownership {
  const found = owned.find(({ name }) => name.test(entry.name))
  if (!found || entry.isSymbolicLink()) return 'foreign'
  const isRightKind = entry.isDirectory() ? found.is !== 'file' : found.is === 'file'
  return isRightKind && (found.isOwn?.(path) ?? true) ? found.is : 'foreign'
}

function entriesOf(folder: string): readonly Dirent[] {
  return readdirSync(folder, { withFileTypes: true })
}
