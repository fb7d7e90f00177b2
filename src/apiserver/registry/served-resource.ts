import type { KubeObject } from '../../api/kube-object.js'
import type { ServedKind } from '../../schema/scheme.js'
import type { Encoded } from '../answer.js'
import type { KeptObject } from '../cache/kept-object.js'
import type { ObjectCollection } from '../cache/object-store.js'

/** A resource in one of the versions in which it is served: what every verb works on. */
export interface ServedResource {
  /** The kind as clients of this version see it. */
  readonly type: ServedKind
  /** The kind as it is kept; the same one for most. */
  readonly stored: ServedKind
  /** `pods` and `''`, as errors name it. */
  readonly groupResource: { readonly group: string; readonly resource: string }
  readonly objects: ObjectCollection
  /** What all keys of this resource begin with: `/registry/pods/`. */
  readonly prefix: string
  key(namespace: string, name: string): string
  /** A kept object as clients of this version see it; for most that is the object itself. Remembered, so that it is encoded once. */
  served(kept: KeptObject): Encoded
  /** An object of this version as it is to be kept. */
  toStored(object: KubeObject): KubeObject
  fromStored(object: KubeObject): KubeObject
}
