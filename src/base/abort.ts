import { setMaxListeners } from 'node:events'

/**
 * Calls `run` when the signal is aborted, until the returned function is called. One signal may stop hundreds of workers, and
 * has then as many listeners, which Node would report as a leak.
 */
export function whenAborted(signal: AbortSignal | undefined, run: () => void): () => void {
  if (!signal) return () => {}
  setMaxListeners(0, signal)
  signal.addEventListener('abort', run, { once: true })
  return () => signal.removeEventListener('abort', run)
}
