import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { UnusableStoreError } from '../../errors.js'
import { flushFolder } from '../store-folder.js'
import { segmentNames } from './journal.js'
import { type JournalRecord, readJournalRecord, recordEnd, wholeSequence } from './record.js'

/** The journal of an earlier process. */
export interface RecoveredJournal {
  /** The records that LMDB does not have yet, in order. */
  readonly records: readonly JournalRecord[]
  /** Removes the files. Call it when LMDB has the records. */
  remove(): void
}

/**
 * Renames the journal of an earlier process, so that a process that still writes to it notices, and reads the records that LMDB does not
 * have yet. Can be called again after a crash: renamed files are read as well.
 */
export function recoverJournal(directory: string, settled: number): RecoveredJournal {
  for (const name of segmentNames) {
    const path = join(directory, name)
    if (existsSync(path)) renameSync(path, taken(path))
  }
  const paths = segmentNames.map((name) => taken(join(directory, name))).filter((path) => existsSync(path))
  if (paths.length === 0) return { records: [], remove: () => {} }
  flushFolder(directory)
  const records = recordsAfter(settled, paths)
  if (isGap(settled, records)) throw damaged(directory, settled + 1)
  return { records, remove: () => remove(paths, directory) }
}

/** Reads the journal of a store that may be in use: the current content of its files. Throws if they change meanwhile. */
export function readLiveJournal(directory: string, settled: number): readonly JournalRecord[] {
  const paths = segmentNames.flatMap((name) => [join(directory, name), taken(join(directory, name))])
  const records = recordsAfter(
    settled,
    paths.filter((path) => existsSync(path)),
  )
  if (isGap(settled, records)) throw damaged(directory, settled + 1)
  return records
}

function taken(path: string): string {
  return `${path}.taken`
}

function remove(paths: readonly string[], directory: string): void {
  for (const path of paths) rmSync(path, { force: true })
  flushFolder(directory)
}

function recordsAfter(settled: number, paths: readonly string[]): JournalRecord[] {
  return paths
    .flatMap((path) => [...recordsOf(readFileSync(path), path)])
    .filter(({ sequence }) => sequence > settled)
    .sort((one, other) => one.sequence - other.sequence)
}

function isGap(settled: number, records: readonly JournalRecord[]): boolean {
  return records.some(({ sequence }, i) => sequence !== settled + 1 + i)
}

/** Yields the records of a segment, up to records of an earlier round, or an incomplete one. */
function* recordsOf(source: Buffer, path: string): Iterable<JournalRecord> {
  let start = 0
  let before: number | undefined
  for (;;) {
    const sequence = wholeSequence(source, start)
    if (sequence === undefined) break
    if (before !== undefined && sequence !== before + 1) return
    yield readJournalRecord(source, start)
    before = sequence
    start = recordEnd(source, start)!
  }
  // Only the last record can be incomplete. If another one follows, this one was complete and acknowledged.
  const next = recordEnd(source, start)
  if (before !== undefined && next !== undefined && wholeSequence(source, next) === before + 2)
    throw damaged(path, before + 1)
}

function damaged(path: string, sequence: number): UnusableStoreError {
  return new UnusableStoreError(`${path} is damaged: record ${sequence} of the journal cannot be read`)
}
