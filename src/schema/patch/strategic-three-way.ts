import type { JsonObject } from '../declaration.js'
import type { ObjectType } from '../model.js'
import { strategicPatchesConflict } from './conflicts.js'
import { PatchError } from './patch-error.js'
import { diffStrategicPatch } from './strategic-diff.js'
import { combineStrategicPatches } from './strategic-patch.js'

/** The three states of an object that `kubectl apply` compares. */
export interface ThreeWay {
  /** The configuration that was applied before; empty the first time. */
  readonly original: JsonObject
  /** The configuration that is applied now. */
  readonly modified: JsonObject
  /** The object as it is, with what others have set. */
  readonly current: JsonObject
}

/** Somebody else has changed what the patch changes, since the configuration was last applied. */
export class PatchConflict extends PatchError {
  readonly patch: JsonObject
  /** What they changed. */
  readonly changes: JsonObject

  constructor(patch: JsonObject, changes: JsonObject) {
    const texts = [patch, changes].map((value) => JSON.stringify(value))
    super('conflict', `patch:\n${texts[0]}\nconflicts with changes made from original to current:\n${texts[1]}\n`)
    this.patch = patch
    this.changes = changes
  }
}

/**
 * The strategic merge patch for `current` that brings about what `modified` says, and removes what `original` said and `modified`
 * no longer does. What others have set and neither mentions stays. Without `overwrite`, what others have changed is not undone:
 * a `PatchConflict` is thrown instead.
 */
export function diffStrategicPatchThreeWay(
  type: ObjectType,
  { original, modified, current }: ThreeWay,
  { overwrite = true }: { readonly overwrite?: boolean } = {},
): JsonObject {
  const changes = diffStrategicPatch(type, current, modified, { deletions: false })
  const deletions = diffStrategicPatch(type, original, modified, { changes: false })
  const patch = combineStrategicPatches(type, deletions, changes)
  if (!overwrite) refuseConflict(type, patch, diffStrategicPatch(type, original, current, { order: false }))
  return patch
}

function refuseConflict(type: ObjectType, patch: JsonObject, changes: JsonObject): void {
  if (strategicPatchesConflict(type, patch, changes)) throw new PatchConflict(patch, changes)
}
