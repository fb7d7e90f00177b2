import type { JsonObject } from '../declaration.js'
import { allFieldsFilter, type FieldFilter } from './field-set/filter.js'
import type { StructShape } from './shape/shape.js'

/** An object in one of the versions of its kind. */
export interface Versioned {
  readonly apiVersion: string
  readonly shape: StructShape
  readonly object: JsonObject
}

/** The versions of a kind: fields are owned in the version in which they were written. */
export interface Versions {
  /** Undefined if there is no such version, or no longer. */
  shape(apiVersion: string): StructShape | undefined
  /** The same object in another version that exists. */
  convert(from: Versioned, apiVersion: string): JsonObject
  /** Which fields are tracked in a version. */
  filter(apiVersion: string): FieldFilter
}

/** The same object in another version, or undefined if there is no such version. */
export function inVersion(versions: Versions, from: Versioned, apiVersion: string): Versioned | undefined {
  if (from.apiVersion === apiVersion) return from
  const shape = versions.shape(apiVersion)
  return shape && { apiVersion, shape, object: versions.convert(from, apiVersion) }
}

/** A kind that is served in one version only. */
export function singleVersion(filter: FieldFilter = allFieldsFilter): Versions {
  return sameInAllVersions(new Map(), filter)
}

/** A kind whose versions differ in name only, with the shape of each. */
export function sameInAllVersions(
  shapes: ReadonlyMap<string, StructShape>,
  filter: FieldFilter = allFieldsFilter,
): Versions {
  return {
    shape: (apiVersion) => shapes.get(apiVersion),
    convert: ({ object }) => object,
    filter: () => filter,
  }
}
