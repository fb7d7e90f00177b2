import type { ObjectMeta, OwnerReference } from '../../api/meta/v1/object-meta.js'
import type { TypeMeta } from '../../schema/infer.js'

interface Owned {
  readonly metadata: ObjectMeta
}

/** The one owner, of however many, that manages the object. */
export function controllerOf({ metadata }: Owned): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller)
}

export function isControlledBy(object: Owned, owner: Owned): boolean {
  return controllerOf(object)?.uid === owner.metadata.uid
}

/** What goes into an object that `owner` makes, so that it goes when its owner goes. */
export function controllerReference({ apiVersion, kind, metadata }: TypeMeta & Owned): OwnerReference {
  const { name, uid } = metadata as Required<ObjectMeta>
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }
}
