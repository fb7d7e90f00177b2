import type { Draft } from '../../schema/infer.js'
import type { ObjectMeta } from '../meta/v1/object-meta.js'

const kept = ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const

/** Restores the metadata from the old object, for kinds whose status writes must not change it. */
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
