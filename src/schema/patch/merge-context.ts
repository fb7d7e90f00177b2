import type { JsonValue } from '../declaration.js'
import type { JsonList } from '../json-value.js'
import type { LinkedType } from '../model.js'
import type { ObjectDraft } from './object-draft.js'
import type { PatchMetadata } from './patch-metadata.js'

/**
 * `apply` merges a patch into an object and executes its directives. `combine` merges it into another patch and keeps the directives for
 * the later application.
 */
export type MergeMode = 'apply' | 'combine'

/** The state of merging a patch into one object. */
export interface MergeContext {
  readonly draft: ObjectDraft
  /** The members of the patch that have not been merged yet. */
  readonly pending: Map<string, JsonValue>
  readonly type: LinkedType
  readonly mode: MergeMode
  readonly mergeList: (original: JsonList, patch: JsonList, metadata: PatchMetadata) => JsonList
}
