import type { JsonObject } from '../declaration.js'
import { allFieldsFilter, type FieldFilter } from './field-set/filter.js'
import type { StructShape } from './shape/shape.js'

/** An object in one of the versions of its kind. */
export interface Versioned {
  readonly apiVersion: string
  readonly shape: StructShape
  readonly object: JsonObject
}

/** The versions of a kind. Managers own fields in the version in which they wrote them. */
export interface Versions {
  /** Undefined if the version does not exist, or no longer does. */
  shape(apiVersion: string): StructShape | undefined
  /** Converts an object to another existing version. */
  convert(from: Versioned, apiVersion: string): JsonObject
  /** Removes fields that are not tracked in a version. */
  filter(apiVersion: string): FieldFilter
}

/** Converts an object to another version. Undefined if that version does not exist. */
export function inVersion(versions: Versions, from: Versioned, apiVersion: string): Versioned | undefined {
  if (from.apiVersion === apiVersion) return from
  const shape = versions.shape(apiVersion)
  return shape && { apiVersion, shape, object: versions.convert(from, apiVersion) }
}

/** A kind that is served in one version only. */
export function singleVersion(filter: FieldFilter = allFieldsFilter): Versions {
  return sameInAllVersions(new Map(), filter)
}

/** A kind whose versions differ only in name, with the shape of each. */
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
