import { Buffer } from 'node:buffer'

/** The keys from `start` up to but not including `end`, in etcd's form. */
export interface KeyRange {
  readonly start: Buffer
  readonly end: Buffer
}

/** As the end of a range: no end. As the start: no start. */
const openEnd = Buffer.from([0])

/**
 * Maps the keys of a store to etcd: all are under one prefix, so that several stores can share a cluster. With the prefix `/registry` the
 * key `pods/default/web` becomes `/registry/pods/default/web`; with an empty prefix keys stay the same.
 */
export class KeySpace {
  readonly root: string
  /** The length in bytes of the prefix in etcd's keys. */
  readonly rootLength: number

  constructor(prefix: string) {
    const trimmed = prefix.replace(/^\/+|\/+$/g, '')
    this.root = trimmed === '' ? '' : `/${trimmed}/`
    this.rootLength = Buffer.byteLength(this.root)
  }

  key(key: string): Buffer {
    return Buffer.from(this.root + key)
  }

  /** Returns the range of all keys that start with `prefix` and come after `after` in byte order. */
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

/** Returns the first key after all keys with the prefix. UTF-8 has no byte 255, so the last byte can be incremented. */
function endOf(prefix: Buffer): Buffer {
  if (prefix.length === 0) return openEnd
  const end = Buffer.from(prefix)
  end[end.length - 1]!++
  return end
}
