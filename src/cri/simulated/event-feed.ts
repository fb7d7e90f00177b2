import { whenAborted } from '../../base/abort.js'

/** Tells many listeners the same things, each from the moment it began to listen and in order. */
export class EventFeed<Event> {
  readonly #listeners = new Set<(event: Event) => void>()

  publish(event: Event): void {
    for (const listener of this.#listeners) listener(event)
  }

  get listenerCount(): number {
    return this.#listeners.size
  }

  /** Ends when the signal is aborted, after what was told by then. */
  async *listen(signal: AbortSignal): AsyncGenerator<Event> {
    const waiting: Event[] = []
    let wake = () => {}
    const listener = (event: Event) => {
      waiting.push(event)
      wake()
    }
    const stopListening = whenAborted(signal, () => wake())
    this.#listeners.add(listener)
    try {
      for (;;) {
        const event = waiting.shift()
        if (event !== undefined) yield event
        else if (signal.aborted) return
        else await new Promise<void>((resolve) => (wake = resolve))
      }
    } finally {
      stopListening()
      this.#listeners.delete(listener)
    }
  }
}
