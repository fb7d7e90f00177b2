import type { ObjectMeta } from '../../api/meta/v1/object-meta.js'

/** The object lacks its finalizer, or is being deleted and has it. All other objects need no reconcile. */
export function needsReconcile({ deletionTimestamp, finalizers = [] }: ObjectMeta, finalizer: string): boolean {
  return (deletionTimestamp !== undefined) === finalizers.includes(finalizer)
}

export interface ProtectionObservation {
  readonly metadata: ObjectMeta
  readonly finalizer: string
  /** Whether the object must not go yet. Only asked for an object that is being deleted. */
  readonly isInUse: boolean
}

/** The metadata to write: with the finalizer if the object stays, without it if it may go. Undefined: no change. */
export function decide({ metadata, finalizer, isInUse }: ProtectionObservation): ObjectMeta | undefined {
  if (!needsReconcile(metadata, finalizer)) return undefined
  const others = (metadata.finalizers ?? []).filter((each) => each !== finalizer)
  if (metadata.deletionTimestamp === undefined) return { ...metadata, finalizers: [...others, finalizer] }
  return isInUse ? undefined : { ...metadata, finalizers: others }
}
