import { whenAborted } from '../../base/abort.js'

/** Publishes events to listeners. Each listener gets, in order, all events after the start of its subscription. */
export class EventFeed<Event> {
  readonly #listeners = new Set<(event: Event) => void>()

  publish(event: Event): void {
    for (const listener of this.#listeners) listener(event)
  }

  get listenerCount(): number {
    return this.#listeners.size
  }

  /** Ends when the signal aborts, after all events published before that. */
  async *listen(signal: AbortSignal): AsyncGenerator<Event> {
    const pending: Event[] = []
    let wake = () => {}
    const listener = (event: Event) => {
      pending.push(event)
      wake()
    }
    const stopListening = whenAborted(signal, () => wake())
    this.#listeners.add(listener)
    try {
      for (;;) {
        const event = pending.shift()
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
