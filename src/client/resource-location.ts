import { groups } from '../api/groups.js'
import type { Schema } from '../schema/declaration.js'

/** The path and the type of a resource. */
export interface ResourceLocation {
  /** `/api/v1`, `/apis/apps/v1` */
  readonly root: string
  readonly plural: string
  readonly namespaced: boolean
  /** The `apiVersion` and `kind` of its objects. */
  readonly apiVersion: string
  readonly kind: string
}

interface DeclaredName {
  /** The group's full name; '' for the core group. */
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** `rbac/v1.Role` */
function parsed({ name }: Schema): DeclaredName {
  const [, short, version, kind] = /^([^/]+)\/([^.]+)\.(.+)$/.exec(name)!
  const group = groups.find((each) => each.short === short)
  if (!group) throw new TypeError(`${name} belongs to no known group`)
  return { group: group.name, version: version!, kind: kind! }
}

/** Returns the `apiVersion` and `kind` of a declared kind. */
export function typeOf(schema: Schema): { readonly apiVersion: string; readonly kind: string } {
  const { group, version, kind } = parsed(schema)
  return { apiVersion: group === '' ? version : `${group}/${version}`, kind }
}

/** Declarations never change, and every request needs the location. */
const known = new WeakMap<Schema, ResourceLocation>()

/** Returns where a declared kind is served. */
export function locationOf(schema: Schema): ResourceLocation {
  const place = known.get(schema) ?? declaredPlace(schema)
  known.set(schema, place)
  return place
}

function declaredPlace(schema: Schema): ResourceLocation {
  const resource = schema.kind?.resource
  if (!resource) throw new TypeError(`${schema.name} is not a resource`)
  const { group, version } = parsed(schema)
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  return { root, plural: resource.plural, namespaced: resource.namespaced, ...typeOf(schema) }
}

/** Returns `apps` for `apps/v1`, and '' for the core group. */
export function groupOf(apiVersion: string): string {
  return apiVersion.slice(0, Math.max(apiVersion.indexOf('/'), 0))
}
