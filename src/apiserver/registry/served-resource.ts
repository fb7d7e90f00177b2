import type { KubeObject } from '../../api/kube-object.js'
import type { ApplyTarget } from '../../schema/apply/target.js'
import type { ServedKind } from '../../schema/scheme.js'
import type { CachedObject } from '../cache/cached-object.js'
import type { ObjectCollection } from '../cache/object-store.js'
import type { EncodedObject } from '../response/response.js'
import type { ResourceHooks } from './resource-hooks.js'

/** A resource in one of the versions in which it is served: what every verb works on. */
export interface ServedResource {
  /** The kind as clients of this version see it. */
  readonly type: ServedKind
  /** The kind as it is kept; the same one for most. */
  readonly stored: ServedKind
  /** `pods` and `''`, as errors name it. */
  readonly groupResource: { readonly group: string; readonly resource: string }
  /** What everybody sees. */
  readonly objects: ObjectCollection
  /** Those with them that are not to be seen yet: for who writes them, and who asks for them. The same where nothing is hidden. */
  readonly allObjects: ObjectCollection
  /** What all keys of this resource begin with: `/registry/pods/`. */
  readonly prefix: string
  readonly hooks: ResourceHooks
  /** A view of another kind, as a scale is: what is written through it changes the object by the rules for the whole. */
  readonly isView: boolean
  key(namespace: string, name: string): string
  /** Whose fields are owned when it is written, as a whole (`''`) or through a subresource. */
  target(subresource: string): ApplyTarget
  /** A kept object as clients of this version see it; for most that is the object itself. Remembered, so that it is encoded once. */
  served(cached: CachedObject): EncodedObject
  /** The same as whoever writes starts from: with the managed fields, where clients are not shown them. */
  live(cached: CachedObject): KubeObject
  /** An object of this version as it is to be kept; `replaced` is what is there. */
  toStored(object: KubeObject, replaced?: CachedObject): KubeObject
  fromStored(object: KubeObject): KubeObject
}
