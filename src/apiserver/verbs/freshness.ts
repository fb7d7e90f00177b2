import { resourceVersionTooLarge } from '../../api/errors.js'
import type { ReadScope } from './verb-scope.js'
import { WatchLifetime } from './watch-lifetime.js'

/** Milliseconds for which a request waits for a revision that the cache has not reached. */
const longestWait = 3000

/** Waits until the cache has reached the revision that the client requested. Returns undefined if it has. */
export function waitForRevision(scope: ReadScope, revision: number, requested: string): Promise<void> | undefined {
  return scope.store.revision >= revision ? undefined : waitFor(scope, revision, requested)
}

async function waitFor({ store, environment, context }: ReadScope, revision: number, requested: string): Promise<void> {
  const timeout = { clock: environment.clock, milliseconds: longestWait }
  const lifetime = new WatchLifetime({ signals: [context.request.signal], timeout })
  try {
    await store.waitForRevision(revision, lifetime.signal)
  } catch (error) {
    throw lifetime.signal.aborted ? resourceVersionTooLarge(requested, `${store.revision}`) : error
  } finally {
    lifetime.end()
  }
}
