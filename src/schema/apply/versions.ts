import type { JsonObject } from '../declaration.js'
import { everything, type FieldFilter } from './filter.js'
import type { StructShape } from './shape.js'

/** An object in one of the versions of its kind. */
export interface Versioned {
  readonly apiVersion: string
  readonly shape: StructShape
  readonly object: JsonObject
}

/** The versions of a kind: fields are owned in the version in which they were written. */
export interface Versions {
  /** The same object in another version, or undefined if there is no such version. */
  convert(from: Versioned, apiVersion: string): Versioned | undefined
  /** Which fields are tracked in a version. */
  filter(apiVersion: string): FieldFilter
}

/** A kind that is served in one version only. */
export function singleVersion(filter: FieldFilter = everything): Versions {
  return {
    convert: (from, apiVersion) => (from.apiVersion === apiVersion ? from : undefined),
    filter: () => filter,
  }
}

/** A kind whose versions differ in name only, with the shape of each. */
export function sameInAllVersions(
  shapes: ReadonlyMap<string, StructShape>,
  filter: FieldFilter = everything,
): Versions {
  return {
    convert({ object }, apiVersion) {
      const shape = shapes.get(apiVersion)
      return shape && { apiVersion, shape, object }
    },
    filter: () => filter,
  }
}
