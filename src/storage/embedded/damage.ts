/**
 * Checks a data file before LMDB maps it. LMDB trusts its file: an invalid page can end the process, or make it overwrite good data. So
 * everything that LMDB would follow is read here first, with ordinary reads. The file is rejected, unchanged, at the first error.
 */
import { closeSync, fstatSync, openSync } from 'node:fs'
import { hasValidChecksum } from './checksum.js'
import { countersName, formatName, formatVersion, journalName, storeName } from './encoding.js'
import { DamageError, LmdbPages, type LmdbTree, readMeta } from './lmdb/pages.js'
import { fenceTable } from './lmdb/tables.js'

/** The state of a data file: new, a store of Proa, or unusable with the reason. */
export type DataFileCondition =
  | { readonly is: 'new' }
  | { readonly is: 'ours' }
  | { readonly is: 'unusable'; readonly why: string }

export function examineDataFile(path: string): DataFileCondition {
  const descriptor = openSync(path, 'r')
  try {
    const { size } = fstatSync(descriptor)
    return size === 0 ? { is: 'new' } : examineContent(descriptor, size)
  } catch (error) {
    if (error instanceof DamageError) return { is: 'unusable', why: error.message }
    throw error
  } finally {
    closeSync(descriptor)
  }
}

function examineContent(descriptor: number, size: number): DataFileCondition {
  const meta = readMeta(descriptor, size)
  const pages = new LmdbPages(descriptor, size, meta)
  const tables = new Map<string, LmdbTree>()
  const own = new Map<string, Buffer>()
  pages.walk(meta.free, { integerKeys: true })
  pages.walk(meta.main, {
    visit({ key, tree, value }) {
      // LMDB's names of tables end with a zero.
      if (tree) tables.set(key.toString().replace('\0', ''), tree)
      else own.set(key.toString(), Buffer.from(value))
    },
  })
  if (tables.size === 0 && own.size === 0) return { is: 'new' }
  const condition = checkFormat(own.get(formatName)?.toString())
  if (condition.is === 'ours') checkValues(pages, tables, own)
  return condition
}

function checkValues(pages: LmdbPages, tables: ReadonlyMap<string, LmdbTree>, own: ReadonlyMap<string, Buffer>): void {
  checkChecksum(Buffer.from(countersName), own.get(countersName) ?? Buffer.alloc(0), 'the counters')
  const sequence = own.get(journalName)
  if (sequence) checkChecksum(Buffer.from(journalName), sequence, 'the journal sequence')
  for (const [name, tree] of tables)
    pages.walk(
      tree,
      name === fenceTable ? {} : { visit: ({ key, value }) => checkChecksum(key, value, `an entry of ${name}`) },
    )
}

function checkChecksum(key: Buffer, value: Buffer, what: string): void {
  if (!hasValidChecksum(value, key)) throw new DamageError(`is damaged: the checksum of ${what} is wrong`)
}

function checkFormat(format: string | undefined): DataFileCondition {
  const { store, version } = parse(format)
  if (store !== storeName) return { is: 'unusable', why: 'is an LMDB file, but of another program' }
  if (version !== formatVersion)
    return { is: 'unusable', why: `has format ${version}; this version of Proa reads format ${formatVersion}` }
  return { is: 'ours' }
}

function parse(format: string | undefined): { store?: unknown; version?: unknown } {
  try {
    return Object(JSON.parse(format ?? '{}'))
  } catch {
    return {}
  }
}
