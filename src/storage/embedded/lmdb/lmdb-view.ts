import { compareKeys } from '../../engine/batch.js'
import type { Change, HeldView, KeyState } from '../../engine/medium.js'
import type { Entry } from '../../store.js'
import { type Position, readChange, readEntry } from '../encoding.js'
import type { ReadInside, Tables, Transaction } from './tables.js'
import { keepAlone, noValue, ValueKeeper } from './value-copier.js'

/** Everything as of one LMDB read transaction. */
export class LmdbView implements HeldView {
  readonly #tables: Tables
  readonly #inside: ReadInside
  readonly #release: () => void
  /** For the values that are read while keys are visited. */
  #keeper = new ValueKeeper()
  /** Written anew for each read: LMDB takes the key at once. */
  readonly #position: Position = { revision: 0, index: 0 }

  constructor(tables: Tables, transaction: Transaction, release: () => void = () => {}) {
    this.#tables = tables
    this.#inside = { transaction }
    this.#release = release
  }

  state(key: string): KeyState | undefined {
    return this.#tables.keys.get(key, this.#inside)
  }

  change(revision: number, index: number): Change | undefined {
    const source = this.#read(revision, index)
    return source && readChange(source, this.#position, keepAlone)
  }

  outline(revision: number, index: number): Change | undefined {
    const source = this.#read(revision, index)
    return source && readChange(source, this.#position, noValue)
  }

  entry(key: string, state: KeyState, many = false): Entry | undefined {
    const source = this.#read(state.modRevision, state.index)
    return source && readEntry(source, key, state, many ? this.#keeper.keep : keepAlone)
  }

  visitKeys(prefix: string, after: string | undefined, visit: (key: string, newest: KeyState) => boolean): boolean {
    this.#keeper = new ValueKeeper()
    const start = after !== undefined && compareKeys(after, prefix) > 0 ? after : prefix
    const range = this.#tables.keys.getRange({ start, exclusiveStart: start === after, ...this.#inside })
    for (const { key, value } of range) {
      if (!key.startsWith(prefix)) return true
      if (!visit(key, value)) return false
    }
    return true
  }

  release(): void {
    this.#release()
  }

  #read(revision: number, index: number): Buffer | undefined {
    this.#position.revision = revision
    this.#position.index = index
    return this.#tables.log.getBinaryFast(this.#position, this.#inside)
  }
}
