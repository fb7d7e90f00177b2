import type { ObjectMeta, OwnerReference } from '../../api/meta/v1/object-meta.js'
import { foregroundFinalizer, orphanFinalizer } from '../../api/metadata/finalizers.js'
import type { DeleteOptions } from '../../client/request-options.js'

/** How it stands with the owner that a reference names. */
export type Standing =
  /** It is there, and keeps its dependents. */
  | 'solid'
  /** It is not there, or not the one that was meant. */
  | 'absent'
  /** It is on its way out and waits for its dependents to go before it. */
  | 'waiting'

export interface Owner {
  readonly reference: OwnerReference
  readonly standing: Standing
}

/** What becomes of an object that has owners. */
export type Judgement =
  | { readonly does: 'keep' }
  /** Some owner keeps it; to the others it owes nothing any more, nor they to it. */
  | { readonly does: 'release'; readonly from: readonly Owner[] }
  | { readonly does: 'delete'; readonly policy: NonNullable<DeleteOptions['propagationPolicy']> }

/** One owner that keeps it is enough. */
export function judge(owners: readonly Owner[], metadata: ObjectMeta, hasDependents: boolean): Judgement {
  const gone = owners.filter(({ standing }) => standing !== 'solid')
  if (gone.length === 0) return { does: 'keep' }
  if (gone.length < owners.length) return { does: 'release', from: gone }
  const isAwaited = owners.some(({ standing }) => standing === 'waiting')
  // Who waits for it waits for its own dependents as well: so it must wait for them itself.
  return { does: 'delete', policy: isAwaited && hasDependents ? 'Foreground' : policyOf(metadata) }
}

/** Somebody may have said beforehand what is to become of its dependents. */
function policyOf({ finalizers = [] }: ObjectMeta): 'Orphan' | 'Foreground' | 'Background' {
  if (finalizers.includes(orphanFinalizer)) return 'Orphan'
  return finalizers.includes(foregroundFinalizer) ? 'Foreground' : 'Background'
}
