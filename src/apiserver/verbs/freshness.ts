import { resourceVersionTooLarge } from '../../api/errors.js'
import { whenAborted } from '../../base/abort.js'
import type { ReadScope } from './verb-scope.js'

/** How long a request waits for a revision that has not come yet. */
const patience = 3000

/** Waits until the cache has come as far as the client asks. */
export function waitForRevision(scope: ReadScope, revision: number, asked: string): Promise<void> | undefined {
  return scope.store.revision >= revision ? undefined : waitFor(scope, revision, asked)
}

async function waitFor({ store, environment, exchange }: ReadScope, revision: number, asked: string): Promise<void> {
  const waiting = new AbortController()
  const timer = environment.clock.timer(patience, () => waiting.abort())
  const stopListening = whenAborted(exchange.request.signal, () => waiting.abort())
  try {
    await store.waitForRevision(revision, waiting.signal)
  } catch (error) {
    throw waiting.signal.aborted ? resourceVersionTooLarge(asked, `${store.revision}`) : error
  } finally {
    timer.cancel()
    stopListening()
  }
}
