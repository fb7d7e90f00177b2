import { whenAborted } from '../../base/abort.js'

/** Limits concurrency. Waiters are served in order. */
export class Semaphore {
  readonly #waiting = new Set<() => void>()
  #free: number

  constructor(atOnce: number) {
    if (!(atOnce >= 1)) throw new RangeError(`the limit must be at least 1, not ${atOnce}`)
    this.#free = atOnce
  }

  /** Resolves with a release function. Rejects with the signal's reason if it aborts first. */
  async acquire(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted()
    if (this.#free > 0) {
      this.#free--
      return this.#release()
    }
    return new Promise((resolve, reject) => {
      const begin = () => {
        stopListening()
        resolve(this.#release())
      }
      const stopListening = whenAborted(signal, () => {
        this.#waiting.delete(begin)
        reject(signal.reason)
      })
      this.#waiting.add(begin)
    })
  }

  /** Releases once, however often it is called. */
  #release(): () => void {
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      const [next] = this.#waiting
      if (!next) this.#free++
      else {
        this.#waiting.delete(next)
        next()
      }
    }
  }
}
