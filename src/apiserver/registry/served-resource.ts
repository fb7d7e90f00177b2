import type { KubeObject } from '../../api/kube-object.js'
import type { ApplyTarget } from '../../schema/apply/target.js'
import type { ServedKind } from '../../schema/scheme.js'
import type { CachedObject } from '../cache/cached-object.js'
import type { ObjectCollection } from '../cache/object-store.js'
import type { EncodedObject } from '../response/response.js'
import type { ResourceHooks } from './resource-hooks.js'

/** A resource in one of its versions: what verbs work on. */
export interface ServedResource {
  /** The kind as clients of this version see it. */
  readonly type: ServedKind
  /** The kind in the storage version; for most resources the same. */
  readonly stored: ServedKind
  /** `pods` and `''`, as in error messages. */
  readonly groupResource: { readonly group: string; readonly resource: string }
  /** The objects that all clients see. */
  readonly objects: ObjectCollection
  /** All objects, with those that are not initialized yet: for writes, and for clients that request them. */
  readonly allObjects: ObjectCollection
  /** The prefix of all keys: `/registry/pods/`. */
  readonly prefix: string
  readonly hooks: ResourceHooks
  /** Whether it is a view of another kind, as a scale is. A write through a view is validated as a write of the whole object. */
  readonly isView: boolean
  key(namespace: string, name: string): string
  /** The field ownership of a write of the object (`''`) or of a subresource. */
  target(subresource: string): ApplyTarget
  /** A cached object in this version; for most resources the object itself. Converted and encoded once. */
  served(cached: CachedObject): EncodedObject
  /** The same as the base of a write: with managed fields, even if clients do not see them. */
  live(cached: CachedObject): KubeObject
  /** Converts an object of this version to the storage version. `replaced` is the current object. */
  toStored(object: KubeObject, replaced?: CachedObject): KubeObject
  fromStored(object: KubeObject): KubeObject
}
