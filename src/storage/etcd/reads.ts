import { Buffer } from 'node:buffer'
import { CompactedError, FutureRevisionError, UnavailableError } from '../errors.js'
import type { GetResult, RangeQuery, RangeResult, StoreEntry } from '../store.js'
import { RejectedCallError } from './call-errors.js'
import type { EtcdCluster } from './cluster.js'
import type { KeySpace } from './key-space.js'
import type { EtcdMethod } from './messages/method.js'
import { type RangeRequest, type RangeResponse, rangeMethod } from './messages/range.js'
import { watchMethod } from './messages/watch.js'

/** The first page has this many keys; later ones as many as make about `pageBytes`. */
const firstPage = 200
const largestPage = 10_000
const pageBytes = 4 * 1024 * 1024

/** A range without a revision is restarted this often if its revision is compacted between pages. */
const rangeAttempts = 3

/** All reads except watches. All are linearizable. */
export class EtcdReads {
  readonly #cluster: EtcdCluster
  readonly #keySpace: KeySpace
  readonly #method: EtcdMethod<RangeRequest, RangeResponse>

  constructor(cluster: EtcdCluster, keySpace: KeySpace) {
    this.#cluster = cluster
    this.#keySpace = keySpace
    this.#method = rangeMethod(keySpace.rootLength)
  }

  async get(key: string, revision?: number): Promise<GetResult> {
    const { revision: current, entries } = await this.#read({ key: this.#keySpace.key(key), revision })
    return { revision: revision ?? current, entry: entries[0] }
  }

  async range(query: RangeQuery): Promise<RangeResult> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await (query.countOnly ? this.#count(query) : this.#pages(query))
      } catch (error) {
        if (!(error instanceof CompactedError) || query.revision !== undefined) throw error
        if (attempt === rangeAttempts)
          throw new UnavailableError('history is compacted faster than this range can be read', { cause: error })
      }
    }
  }

  async currentRevision(): Promise<number> {
    return (await this.#read({ key: Uint8Array.of(0), countOnly: true })).revision
  }

  async #count({ prefix, after, revision }: RangeQuery): Promise<RangeResult> {
    const { start, end } = this.#keySpace.range(prefix, after)
    const found = await this.#read({ key: start, end, countOnly: true, revision })
    return { revision: revision ?? found.revision, entries: [], count: found.count, more: false }
  }

  /** The first page determines the revision of all others. */
  async #pages({ prefix, after, revision: wanted, limit = Infinity }: RangeQuery): Promise<RangeResult> {
    const { start, end } = this.#keySpace.range(prefix, after)
    let page = await this.#read({ key: start, end, limit: Math.min(limit, firstPage), revision: wanted })
    const { count } = page
    const revision = wanted ?? page.revision
    const pages = [page.entries]
    for (let read = page.entries.length; page.more && read < limit; read += page.entries.length) {
      const { start: key } = this.#keySpace.range(prefix, page.entries.at(-1)!.key)
      page = await this.#read({ key, end, limit: Math.min(limit - read, nextPage(page.entries)), revision })
      pages.push(page.entries)
    }
    return { revision, entries: pages.length === 1 ? pages[0]! : pages.flat(), count, more: page.more }
  }

  async #read(request: RangeRequest): Promise<RangeResponse> {
    try {
      return await this.#cluster.read(this.#method, request)
    } catch (error) {
      if (!(error instanceof RejectedCallError) || request.revision === undefined) throw error
      if (error.reason === 'compacted')
        throw new CompactedError(request.revision, await oldestRevision(this.#cluster, request.revision))
      if (error.reason === 'future') throw new FutureRevisionError(request.revision, await this.currentRevision())
      throw error
    }
  }
}

/** The number of keys that fill a page, if they are like the last ones. */
function nextPage(entries: readonly StoreEntry[]): number {
  const bytes = entries.reduce((sum, { value }) => sum + value.length + 100, 0)
  return Math.max(1, Math.min(largestPage, Math.floor((pageBytes / bytes) * entries.length)))
}

const everything = { start: Buffer.from([0]), end: Buffer.from([0]) }
const method = watchMethod(0)

/**
 * Returns the oldest revision that is still kept, given one that is not. etcd reports it only to a watch that starts too early, so this
 * starts one.
 */
export async function oldestRevision(cluster: EtcdCluster, compacted: number): Promise<number> {
  const { compactRevision } = await cluster.callOverStream({
    method,
    request: { ...everything, revision: compacted, previous: false },
    isResponse: (response) => response.compactRevision > 0,
  })
  return compactRevision
}
