import { setMaxListeners } from 'node:events'

/** Signals that may have any number of listeners. Setting this again for every listener would cost more than the listener. */
const unlimited = new WeakSet<AbortSignal>()

/**
 * Calls `run` when the signal is aborted, until the returned function is called. Allows any number of listeners: Node would report a signal
 * that stops hundreds of workers as a leak.
 */
export function whenAborted(signal: AbortSignal | undefined, run: () => void): () => void {
  if (!signal) return () => {}
  if (!unlimited.has(signal)) {
    unlimited.add(signal)
    setMaxListeners(0, signal)
  }
  signal.addEventListener('abort', run, { once: true })
  return () => signal.removeEventListener('abort', run)
}

/**
 * Settles with `promise`, or rejects with the reason of the signal as soon as it is aborted. The later result of the promise is then
 * ignored.
 */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    const stopListening = whenAborted(signal, () => reject(signal.reason))
    promise.then(resolve, reject).finally(stopListening)
  })
}
