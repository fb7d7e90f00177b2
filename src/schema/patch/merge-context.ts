import type { JsonValue } from '../declaration.js'
import type { JsonList } from '../json-value.js'
import type { LinkedType } from '../model.js'
import type { ObjectDraft } from './object-draft.js'
import type { PatchMetadata } from './patch-metadata.js'

/**
 * What a patch is merged into: an object, where its directives are followed, or another patch, where they are kept for whoever
 * applies the two.
 */
export type MergeMode = 'apply' | 'combine'

/** One object on its way to being patched. */
export interface MergeContext {
  readonly draft: ObjectDraft
  /** The members of the patch that are still to be looked at. */
  readonly pending: Map<string, JsonValue>
  readonly type: LinkedType
  readonly mode: MergeMode
  readonly mergeList: (original: JsonList, patch: JsonList, metadata: PatchMetadata) => JsonList
}
