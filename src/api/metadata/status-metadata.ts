import type { Draft } from '../../schema/infer.js'
import type { ObjectMeta } from '../meta/v1/object-meta.js'

const kept = ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const

/** For kinds of which a write of the status leaves all metadata alone that a client could otherwise change. */
export function keepMetadata(
  draft: { metadata: Draft<ObjectMeta> },
  { metadata: old }: { metadata: ObjectMeta },
): void {
  const metadata: Draft<ObjectMeta> = { ...draft.metadata }
  for (const name of kept) {
    delete metadata[name]
    if (old[name] !== undefined) Object.assign(metadata, { [name]: old[name] })
  }
  draft.metadata = metadata
}
