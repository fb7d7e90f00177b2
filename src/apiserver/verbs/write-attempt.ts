import type { CachedObject } from '../cache/cached-object.js'
import type { ObjectChange } from '../cache/object-store.js'
import type { Companion, PendingWrite } from '../registry/resource-hooks.js'
import type { VerbScope } from './verb-scope.js'

export interface WriteAttempt {
  readonly write: PendingWrite
  /** What plugins want written together with it. */
  readonly companions: readonly Companion[]
  /** The change itself; asked after the companions, which may have assigned to the draft. */
  readonly change: () => ObjectChange
}

export interface WriteAttemptResult {
  /** Undefined if something was not as expected, and for dry runs. */
  readonly written: CachedObject | undefined
  /** How many other objects the write depends on. */
  readonly companions: number
}

/** Tries once to make a change, and all that must happen with it, or nothing at all. A dry run gets as far as the store. */
export async function tryWrite(
  scope: VerbScope,
  { write, companions, change }: WriteAttempt,
): Promise<WriteAttemptResult> {
  const { resource, store } = scope
  const asked: Companion[] = []
  try {
    const changes = resource.hooks.companions ? [...(await resource.hooks.companions(write))] : []
    for (const companion of companions) {
      asked.push(companion)
      changes.push(...(await companion.changes(write)))
    }
    if (write.dryRun) return { written: undefined, companions: changes.length }
    const written = await store.write([change(), ...changes])
    return { written: written?.[0], companions: changes.length }
  } finally {
    for (const companion of asked) companion.settled?.()
  }
}
