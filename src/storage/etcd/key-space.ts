import { Buffer } from 'node:buffer'

/** The keys from `start` up to but not including `end`, as etcd takes them. */
export interface KeyRange {
  readonly start: Buffer
  readonly end: Buffer
}

/** For etcd, a range that ends with this key has no end; a range that starts with it has no beginning. */
const openEnd = Buffer.from([0])

/**
 * Where the store's keys lie in etcd: all of them under one root, so that several stores can share a cluster. With the prefix
 * `/registry` the key `pods/default/web` lies at `/registry/pods/default/web`; with an empty prefix keys lie where they say.
 */
export class KeySpace {
  readonly root: string
  /** How many bytes of a key in etcd belong to the root. */
  readonly rootLength: number

  constructor(prefix: string) {
    const trimmed = prefix.replace(/^\/+|\/+$/g, '')
    this.root = trimmed === '' ? '' : `/${trimmed}/`
    this.rootLength = Buffer.byteLength(this.root)
  }

  key(key: string): Buffer {
    return Buffer.from(this.root + key)
  }

  /** All keys that begin with `prefix` and, in the order of their bytes, come after `after`. */
  range(prefix: string, after?: string): KeyRange {
    const start = this.key(prefix)
    const end = endOf(start)
    if (after !== undefined) {
      const next = Buffer.concat([this.key(after), openEnd])
      if (Buffer.compare(next, start) > 0) return { start: next, end }
    }
    return { start: start.length === 0 ? openEnd : start, end }
  }
}

/** The first key after all those that begin with `prefix`. UTF-8 has no byte 255, so the last byte can always be counted up. */
function endOf(prefix: Buffer): Buffer {
  if (prefix.length === 0) return openEnd
  const end = Buffer.from(prefix)
  end[end.length - 1]!++
  return end
}
