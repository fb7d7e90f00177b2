import { compareUtf8 } from '../../engine/batch.js'
import type { KeyState, LoggedChange, SnapshotView } from '../../engine/medium.js'
import type { StoreEntry } from '../../store.js'
import { type LogPosition, readChange, readEntry } from '../encoding.js'
import type { LmdbTables, ReadTransaction, WithinTransaction } from './tables.js'
import { copyAlone, noValue, ValueCopier } from './value-copier.js'

/** All data of one LMDB read transaction. */
export class LmdbView implements SnapshotView {
  readonly #tables: LmdbTables
  readonly #inside: WithinTransaction
  readonly #release: () => void
  /** For values that are read while keys are visited. */
  #copier = new ValueCopier()
  /** Reused for each read: LMDB encodes the key at once. */
  readonly #position: LogPosition = { revision: 0, index: 0 }

  constructor(tables: LmdbTables, transaction: ReadTransaction, release: () => void = () => {}) {
    this.#tables = tables
    this.#inside = { transaction }
    this.#release = release
  }

  state(key: string): KeyState | undefined {
    return this.#tables.keys.get(key, this.#inside)
  }

  change(revision: number, index: number): LoggedChange | undefined {
    const source = this.#read(revision, index)
    return source && readChange(source, this.#position, copyAlone)
  }

  outline(revision: number, index: number): LoggedChange | undefined {
    const source = this.#read(revision, index)
    return source && readChange(source, this.#position, noValue)
  }

  entry(key: string, state: KeyState, many = false): StoreEntry | undefined {
    const source = this.#read(state.modRevision, state.index)
    return source && readEntry(source, key, state, many ? this.#copier.copy : copyAlone)
  }

  visitKeys(prefix: string, after: string | undefined, visit: (key: string, newest: KeyState) => boolean): boolean {
    this.#copier = new ValueCopier()
    const start = after !== undefined && compareUtf8(after, prefix) > 0 ? after : prefix
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
