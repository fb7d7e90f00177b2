import type { JsonObject } from '../schema/declaration.js'
import type { ObjectMeta } from './meta/v1/object-meta.js'

/**
 * An object of any kind: what all kinds have in common. Every declared kind (`Pod`, `Service`, …) is a subtype. Code that knows the kind
 * narrows it (`object as Pod`). The server stores objects in canonical form and never modifies them.
 */
export interface KubeObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: ObjectMeta
}

/** The same object, for code that reads fields by name without knowing the kind. */
export interface UntypedObject extends KubeObject {
  readonly [field: string]: unknown
}

/** The same value as plain JSON, for code that traverses it without knowing the kind. */
export function asJson(object: object): JsonObject {
  return object as JsonObject
}

/** The reverse of `asJson`, for a value that was decoded as an object of some kind. */
export function asKubeObject(value: object): KubeObject {
  return value as KubeObject
}
