/**
 * Looks through a data file before LMDB maps it. LMDB trusts its file: a page that is not what it should be can end the process,
 * or make it write over good data. So every page that LMDB would follow is read here first, with ordinary reads, and the file is
 * refused, untouched, at the first thing that is wrong. The bytes of large values stand apart from the tree and are not read.
 */
import { closeSync, fstatSync, openSync } from 'node:fs'
import { DamageError } from './damage-error.js'
import { formatName, formatVersion, storeName } from './encoding.js'
import { Pages, readMeta, type Tree } from './lmdb-pages.js'

/** What a data file is: nothing yet, or a store of ours, or something that must not be touched and why. */
export type Condition =
  | { readonly is: 'new' }
  | { readonly is: 'ours' }
  | { readonly is: 'unusable'; readonly why: string }

export function examine(path: string): Condition {
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

function examineContent(descriptor: number, size: number): Condition {
  const meta = readMeta(descriptor, size)
  const pages = new Pages(descriptor, size, meta)
  const nested: Tree[] = []
  let format: string | undefined
  let entries = 0
  pages.walk(meta.free, { integerKeys: true })
  pages.walk(meta.main, {
    visit({ key, tree, value }) {
      entries++
      if (tree) nested.push(tree)
      else if (key.toString() === formatName) format = value().toString()
    },
  })
  for (const tree of nested) pages.walk(tree, {})
  if (entries === 0) return { is: 'new' }
  return judgeFormat(format)
}

function judgeFormat(format: string | undefined): Condition {
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
