import type { WatchBatch } from '../../store.js'

interface Reader {
  resolve(result: IteratorResult<WatchBatch>): void
  reject(error: Error): void
}

/** The batches that a watch has received and its reader has not taken yet. */
export class BatchQueue {
  #batches: { readonly batch: WatchBatch; readonly bytes: number }[] = []
  #bytes = 0
  /** Waiting readers. While there is one, nothing is queued. */
  readonly #readers: Reader[] = []
  #end: { readonly error: Error | undefined } | undefined
  readonly #emptied = new Set<() => void>()

  /** The size of the queue. */
  get bytes(): number {
    return this.#bytes
  }

  push(batch: WatchBatch, bytes: number): void {
    if (this.#end) return
    const reader = this.#readers.shift()
    if (reader) {
      reader.resolve({ done: false, value: batch })
      return
    }
    // Of several progress marks in a row, a late reader needs only the last.
    if (batch.events.length === 0 && this.#batches.at(-1)?.batch.events.length === 0) this.#batches.pop()
    this.#batches.push({ batch, bytes })
    this.#bytes += bytes
  }

  /** After the queued batches, readers get the error once, and then the end. */
  end(error: Error | undefined): void {
    if (this.#end) return
    this.#end = { error }
    for (const reader of this.#readers.splice(0)) this.#finish(reader)
  }

  /** As `end`, but at once: drops queued batches, and replaces an error that no reader has got by the end. */
  stop(error: Error | undefined): void {
    this.#batches = []
    this.#wasEmptied()
    if (this.#end && !error) this.#end = { error }
    this.end(error)
  }

  next(): Promise<IteratorResult<WatchBatch>> {
    const queued = this.#batches.shift()
    if (queued) {
      this.#bytes -= queued.bytes
      if (this.#batches.length === 0) this.#wasEmptied()
      return Promise.resolve({ done: false, value: queued.batch })
    }
    return new Promise((resolve, reject) => {
      if (this.#end) this.#finish({ resolve, reject })
      else this.#readers.push({ resolve, reject })
    })
  }

  /** Resolves when the queue is empty. */
  emptied(): Promise<void> {
    if (this.#batches.length === 0) return Promise.resolve()
    return new Promise((resolve) => this.#emptied.add(resolve))
  }

  #wasEmptied(): void {
    this.#bytes = 0
    for (const resolve of this.#emptied) resolve()
    this.#emptied.clear()
  }

  #finish(reader: Reader): void {
    const error = this.#end?.error
    this.#end = { error: undefined }
    if (error) reader.reject(error)
    else reader.resolve({ done: true, value: undefined })
  }
}
