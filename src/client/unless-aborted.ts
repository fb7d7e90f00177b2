import { whenAborted } from '../base/abort.js'

/** What a promise gives; or the signal's reason, as soon as that is aborted. What the promise does then is nobody's concern. */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    const stopListening = whenAborted(signal, () => reject(signal.reason))
    promise.then(resolve, reject).finally(stopListening)
  })
}
