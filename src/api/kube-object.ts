import type { JsonObject } from '../schema/declaration.js'
import type { ObjectMeta } from './meta/v1/object-meta.js'

/** Any object of the API, of whatever kind, as the server holds it: whole, in canonical form, never changed. */
export interface KubeObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: ObjectMeta
  readonly [field: string]: unknown
}

/** The same value as plain JSON, for those who walk it without knowing its kind. */
export function asJson(object: object): JsonObject {
  return object as JsonObject
}
