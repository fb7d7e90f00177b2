import { whenAborted } from '../../base/abort.js'

/** So many at a time; the others wait in the order in which they came. */
export class Semaphore {
  readonly #waiting = new Set<() => void>()
  #free: number

  constructor(atOnce: number) {
    if (!(atOnce >= 1)) throw new RangeError(`nobody ever gets a turn out of ${atOnce}`)
    this.#free = atOnce
  }

  /** Resolves when it is one's turn, with what ends it. Rejects with the signal's reason if that comes first. */
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

  /** Counts once, however often it is called. */
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
