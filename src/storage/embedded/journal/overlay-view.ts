import { compareUtf8 } from '../../engine/batch.js'
import type { KeyState, LoggedChange, SnapshotView, View } from '../../engine/medium.js'
import type { StoreEntry } from '../../store.js'
import type { Delta } from './delta.js'

/** LMDB with newer deltas on top. The newest delta comes first. */
export class OverlayView implements SnapshotView {
  readonly #deltas: readonly Delta[]
  readonly #below: View
  readonly #release: () => void

  constructor(deltas: readonly Delta[], below: View, release: () => void = () => {}) {
    this.#deltas = deltas
    this.#below = below
    this.#release = release
  }

  state(key: string): KeyState | undefined {
    for (const { states } of this.#deltas) {
      const state = states.get(key)
      if (state !== undefined) return state ?? undefined
    }
    return this.#below.state(key)
  }

  change(revision: number, index: number): LoggedChange | undefined {
    return this.#change(revision, index) ?? this.#below.change(revision, index)
  }

  outline(revision: number, index: number): LoggedChange | undefined {
    return this.#change(revision, index) ?? this.#below.outline(revision, index)
  }

  entry(key: string, state: KeyState, many?: boolean): StoreEntry | undefined {
    const change = this.#change(state.modRevision, state.index)
    return change ? change.entry : this.#below.entry(key, state, many)
  }

  /** May find changes in LMDB that are swept in a delta: nothing refers to them. */
  #change(revision: number, index: number): LoggedChange | undefined {
    for (const { changes } of this.#deltas) {
      const found = changes.get(revision)?.[index]
      if (found) return found.change
    }
    return undefined
  }

  visitKeys(prefix: string, after: string | undefined, visit: (key: string, newest: KeyState) => boolean): boolean {
    const above = this.#keysAbove(prefix, after)
    let next = 0
    /** Visits the keys of the deltas up to `key`. Returns whether to continue. */
    const upTo = (key: string | undefined): boolean => {
      while (next < above.length && (key === undefined || compareUtf8(above[next]!, key) < 0)) {
        const state = this.state(above[next]!)
        if (state && !visit(above[next]!, state)) return false
        next++
      }
      return true
    }
    let goesOn = true
    const ended = this.#below.visitKeys(prefix, after, (key, state) => {
      goesOn = upTo(key)
      if (!goesOn) return false
      if (above[next] !== key) goesOn = visit(key, state)
      return goesOn
    })
    return ended && goesOn && upTo(undefined)
  }

  #keysAbove(prefix: string, after: string | undefined): string[] {
    const keys = new Set<string>()
    for (const { states } of this.#deltas)
      for (const key of states.keys())
        if (key.startsWith(prefix) && (after === undefined || compareUtf8(key, after) > 0)) keys.add(key)
    return [...keys].sort(compareUtf8)
  }

  release(): void {
    this.#release()
  }
}
