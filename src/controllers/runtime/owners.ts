import type { ObjectMeta, OwnerReference } from '../../api/meta/v1/object-meta.js'
import type { TypeMeta } from '../../schema/infer.js'

interface ObjectWithMetadata {
  readonly metadata: ObjectMeta
}

/** An object that owns others. */
export interface OwnerObject extends TypeMeta {
  readonly metadata: ObjectMeta
}

/** The owner that manages the object; an object has at most one, and may have other owners. */
export function controllerOf({ metadata }: ObjectWithMetadata): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller)
}

export function isControlledBy(object: ObjectWithMetadata, owner: ObjectWithMetadata): boolean {
  return controllerOf(object)?.uid === owner.metadata.uid
}

/** The owner reference for an object that `owner` creates, so that the garbage collector deletes it with its owner. */
export function controllerReference({ apiVersion, kind, metadata }: OwnerObject): OwnerReference {
  const { name, uid } = metadata as Required<ObjectMeta>
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }
}
