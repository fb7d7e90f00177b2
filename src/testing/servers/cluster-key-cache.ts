import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.js'
import { makeFolder } from '../temporary-folders.js'

const day = 24 * 60 * 60_000

/** Folders of keys by day of the clock, because certificates are not valid before their creation. */
const known = new Map<number, string>()

/** Reuses the keys of the first server of this process: creating them is most of the cost of a start. */
export function clusterKeyCache(clock: Clock): ClusterKeyCache {
  return new ClusterKeyCache(Math.floor(clock.now() / day))
}

class ClusterKeyCache {
  readonly #day: number

  constructor(today: number) {
    this.#day = today
  }

  copyTo(dataDirectory: string): void {
    const from = known.get(this.#day)
    if (from !== undefined) cpSync(from, join(dataDirectory, 'pki'), { recursive: true })
  }

  addFrom(dataDirectory: string): void {
    const pki = join(dataDirectory, 'pki')
    if (known.has(this.#day) || !existsSync(pki)) return
    const copy = makeFolder('keys')
    cpSync(pki, copy, { recursive: true })
    known.set(this.#day, copy)
  }
}
