import type { CachedObject } from '../cache/cached-object.js'
import type { ObjectChange } from '../cache/object-store.js'
import type { Companion, PendingWrite } from '../registry/resource-hooks.js'
import type { VerbScope } from './verb-scope.js'

export interface WriteAttempt {
  readonly write: PendingWrite
  /** The writes that admission plugins add. */
  readonly companions: readonly Companion[]
  /** Returns the change itself. Called after the companions, which may modify the draft. */
  readonly change: () => ObjectChange
}

export interface WriteAttemptResult {
  /** Undefined for a dry run, and if an object was not at its expected revision. */
  readonly written: CachedObject | undefined
  /** The number of other objects that the transaction changes. */
  readonly companions: number
}

/** Tries once to write a change and its companions in one transaction. A dry run stops before the store. */
export async function tryWrite(
  scope: VerbScope,
  { write, companions, change }: WriteAttempt,
): Promise<WriteAttemptResult> {
  const { resource, store } = scope
  const called: Companion[] = []
  try {
    const changes = resource.hooks.companions ? [...(await resource.hooks.companions(write))] : []
    for (const companion of companions) {
      called.push(companion)
      changes.push(...(await companion.changes(write)))
    }
    if (write.dryRun) return { written: undefined, companions: changes.length }
    const written = await store.write([change(), ...changes])
    return { written: written?.[0], companions: changes.length }
  } finally {
    for (const companion of called) companion.settled?.()
  }
}
