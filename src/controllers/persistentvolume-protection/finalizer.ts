import type { ObjectMeta } from '../../api/meta/v1/object-meta.js'

/** Whether a look at the object may change anything. */
export function isConcerned({ deletionTimestamp, finalizers = [] }: ObjectMeta, finalizer: string): boolean {
  return (deletionTimestamp !== undefined) === finalizers.includes(finalizer)
}

/** What waits for nothing but its finalizer. */
export function isWaiting({ deletionTimestamp, finalizers = [] }: ObjectMeta, finalizer: string): boolean {
  return deletionTimestamp !== undefined && finalizers.includes(finalizer)
}

/** With the finalizer if the object is to stay, and without it if it is to go. */
export function changedFinalizers(metadata: ObjectMeta, finalizer: string): ObjectMeta {
  const rest = (metadata.finalizers ?? []).filter((each) => each !== finalizer)
  return { ...metadata, finalizers: metadata.deletionTimestamp === undefined ? [...rest, finalizer] : rest }
}
