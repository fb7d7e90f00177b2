/** LMDB's pages, as far as they are needed to detect a damaged file. Numbers are little-endian, as LMDB writes them here. */
import { readSync } from 'node:fs'

const magic = 0xbeefc0de
const dataVersion = 2
const pageHeader = 24
const metaBytes = 152
const treeBytes = 48
const branchPage = 1
const leafPage = 2
const nodeHeader = 8
const bigData = 1
const subTree = 2
const noPage = 0xffff_ffff_ffff_ffffn

/** One B+ tree: its root, and the numbers of pages and entries that its header claims. */
export interface LmdbTree {
  readonly depth: number
  readonly branchPages: number
  readonly leafPages: number
  readonly overflowPages: number
  readonly entries: number
  /** Undefined if the tree is empty. */
  readonly root: number | undefined
}

export interface LmdbMeta {
  readonly pageSize: number
  readonly transaction: bigint
  readonly free: LmdbTree
  readonly main: LmdbTree
}

/** Returns the newer of the two meta pages at the start of a file: the last commit. */
export function readMeta(descriptor: number, size: number): LmdbMeta {
  const first = metaAt(descriptor, size, 0)
  const second = metaAt(descriptor, size, first.pageSize)
  if (second.pageSize !== first.pageSize) throw new DamageError('is damaged: its first two pages contradict each other')
  return second.transaction > first.transaction ? second : first
}

function metaAt(descriptor: number, size: number, offset: number): LmdbMeta {
  const page = Buffer.alloc(pageHeader + metaBytes)
  if (size < offset + page.length || readSync(descriptor, page, 0, page.length, offset) < page.length)
    throw new DamageError('is no store: it is too short')
  const meta = page.subarray(pageHeader)
  if (meta.readUInt32LE(0) !== magic) throw new DamageError('is no store: it does not begin as one')
  if ((meta.readUInt32LE(4) & 0xffff) !== dataVersion) throw new DamageError('was written by another version of LMDB')
  const pageSize = meta.readUInt32LE(24)
  if (pageSize < 512 || pageSize > 65536 || (pageSize & (pageSize - 1)) !== 0)
    throw new DamageError(`is damaged: pages of ${pageSize} bytes do not exist`)
  return { pageSize, free: readTree(meta, 24), main: readTree(meta, 72), transaction: meta.readBigUInt64LE(128) }
}

function readTree(source: Buffer, offset: number): LmdbTree {
  const root = source.readBigUInt64LE(offset + 40)
  return {
    depth: source.readUInt16LE(offset + 6),
    branchPages: Number(source.readBigUInt64LE(offset + 8)),
    leafPages: Number(source.readBigUInt64LE(offset + 16)),
    overflowPages: Number(source.readBigUInt64LE(offset + 24)),
    entries: Number(source.readBigUInt64LE(offset + 32)),
    root: root === noPage ? undefined : Number(root),
  }
}

export interface LmdbLeaf {
  readonly key: Buffer
  /** Set if the entry is a tree itself: a named table. */
  readonly tree: LmdbTree | undefined
  /** Valid until the next entry is visited. */
  readonly value: Buffer
}

export interface WalkOptions {
  /** The list of free pages has integer keys, all others have byte keys. */
  readonly integerKeys?: boolean
  readonly visit?: (leaf: LmdbLeaf) => void
}

interface Counts {
  branchPages: number
  leafPages: number
  overflowPages: number
  entries: number
  /** The last key that was visited. */
  last: Buffer | undefined
  /** Lower bound of all further keys. */
  floor: Buffer | undefined
}

/** The pages of a file. Each may be visited only once: in a valid file no two trees share a page. */
export class LmdbPages {
  readonly #descriptor: number
  readonly #pageSize: number
  readonly #pageCount: number
  readonly #met: Uint8Array
  #bigValue = Buffer.alloc(0)

  constructor(descriptor: number, size: number, { pageSize }: LmdbMeta) {
    this.#descriptor = descriptor
    this.#pageSize = pageSize
    this.#pageCount = Math.floor(size / pageSize)
    this.#met = new Uint8Array(Math.ceil(this.#pageCount / 8))
  }

  /** Visits a tree to its last leaf, and compares the numbers of pages and entries with those in its header. */
  walk(tree: LmdbTree, options: WalkOptions): void {
    const counts: Counts = {
      branchPages: 0,
      leafPages: 0,
      overflowPages: 0,
      entries: 0,
      last: undefined,
      floor: undefined,
    }
    if (tree.root !== undefined) this.#walkPage(tree.root, tree.depth, counts, options)
    for (const what of ['branchPages', 'leafPages', 'overflowPages', 'entries'] as const)
      if (counts[what] !== tree[what])
        throw new DamageError(`is damaged: a table should have ${tree[what]} ${what}, but has ${counts[what]}`)
  }

  #walkPage(number: number, depth: number, counts: Counts, options: WalkOptions): void {
    const page = this.#read(number)
    const isLeaf = page.readUInt16LE(18) === leafPage
    if (depth < 1 || isLeaf !== (depth === 1)) throw damaged(number, 'it is at the wrong depth')
    if (isLeaf) counts.leafPages++
    else counts.branchPages++
    for (const [index, node] of this.#nodes(page, number).entries())
      if (isLeaf) this.#checkLeaf(node, number, counts, options)
      else {
        const child = node.readUInt16LE(0) + node.readUInt16LE(2) * 2 ** 16 + node.readUInt16LE(4) * 2 ** 32
        if (index > 0) this.#checkBoundary(keyOf(node), number, counts, options)
        this.#walkPage(child, depth - 1, counts, options)
      }
  }

  /** The key between two children must be greater than all keys on its left, and not greater than any key on its right. */
  #checkBoundary(key: Buffer, number: number, counts: Counts, { integerKeys }: WalkOptions): void {
    if (counts.last && compare(counts.last, key, integerKeys) >= 0) throw damaged(number, 'its keys are not in order')
    counts.floor = key
  }

  #checkLeaf(node: Buffer, number: number, counts: Counts, { integerKeys, visit }: WalkOptions): void {
    const key = keyOf(node)
    const { last, floor } = counts
    if ((last && compare(last, key, integerKeys) >= 0) || (floor && compare(floor, key, integerKeys) > 0))
      throw damaged(number, 'its keys are not in order')
    counts.last = key
    counts.entries++
    const flags = node.readUInt16LE(4)
    const length = node.readUInt32LE(0)
    const data = node.subarray(nodeHeader + key.length)
    if (flags & bigData) counts.overflowPages += this.#meetBigValue(data, length, number)
    else if (data.length < length) throw damaged(number, 'an entry reaches beyond its end')
    if (!visit) return
    const tree = flags & subTree && length === treeBytes ? readTree(data, 0) : undefined
    const value = flags & bigData ? this.#readBigValue(data, length, number) : data.subarray(0, length)
    visit({ key, tree, value })
  }

  /** A large value has consecutive pages of its own. Returns their number. */
  #meetBigValue(data: Buffer, length: number, number: number): number {
    if (data.length < 24) throw damaged(number, 'an entry reaches beyond its end')
    const first = Number(data.readBigUInt64LE(0))
    const count = Math.floor((pageHeader - 1 + length) / this.#pageSize) + 1
    for (let i = 0; i < count; i++) this.#meet(first + i)
    return count
  }

  #readBigValue(data: Buffer, length: number, number: number): Buffer {
    if (this.#bigValue.length < length) this.#bigValue = Buffer.allocUnsafeSlow(length * 2)
    const offset = Number(data.readBigUInt64LE(0)) * this.#pageSize + pageHeader
    if (readSync(this.#descriptor, this.#bigValue, 0, length, offset) < length)
      throw damaged(number, 'it cannot be read')
    return this.#bigValue.subarray(0, length)
  }

  #read(number: number): Buffer {
    this.#meet(number)
    const page = Buffer.allocUnsafeSlow(this.#pageSize)
    if (readSync(this.#descriptor, page, 0, page.length, number * this.#pageSize) < page.length)
      throw damaged(number, 'it cannot be read')
    if (Number(page.readBigUInt64LE(0)) !== number) throw damaged(number, 'it carries the number of another')
    const kind = page.readUInt16LE(18)
    if (kind !== leafPage && kind !== branchPage) throw damaged(number, 'it is of no known kind')
    return page
  }

  #meet(number: number): void {
    if (!(number >= 2 && number < this.#pageCount))
      throw new DamageError(`is damaged: it should have a page ${number}, but it ends after ${this.#pageCount}`)
    const bit = 1 << (number & 7)
    if (this.#met[number >> 3]! & bit) throw damaged(number, 'it is used twice')
    this.#met[number >> 3]! |= bit
  }

  /** Returns the bytes of each node up to the end of the page. The header of the node says how many of them belong to it. */
  #nodes(page: Buffer, number: number): Buffer[] {
    const lower = page.readUInt16LE(20)
    const upper = page.readUInt16LE(22)
    if (lower & 1 || lower > upper || upper > this.#pageSize - pageHeader) throw damaged(number, 'its bounds are wrong')
    const nodes: Buffer[] = []
    for (let at = pageHeader; at < pageHeader + lower; at += 2) {
      const start = page.readUInt16LE(at) + pageHeader
      if (start < upper + pageHeader || start + nodeHeader > this.#pageSize)
        throw damaged(number, 'an entry is out of bounds')
      const node = page.subarray(start)
      if (nodeHeader + node.readUInt16LE(6) > node.length) throw damaged(number, 'a key reaches beyond its end')
      nodes.push(node)
    }
    return nodes
  }
}

function keyOf(node: Buffer): Buffer {
  return node.subarray(nodeHeader, nodeHeader + node.readUInt16LE(6))
}

function compare(a: Buffer, b: Buffer, integers = false): number {
  if (!integers) return a.compare(b)
  if (a.length !== 8 || b.length !== 8) return 1
  const difference = a.readBigUInt64LE(0) - b.readBigUInt64LE(0)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

function damaged(number: number, what: string): DamageError {
  return new DamageError(`is damaged in page ${number}: ${what}`)
}

/** A data file is damaged. The message continues a sentence that starts with the path of the file. */
export class DamageError extends Error {}
