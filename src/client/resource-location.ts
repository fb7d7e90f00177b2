import { groups } from '../api/groups.js'
import type { Schema } from '../schema/declaration.js'

/** What a resource is called and where it is served. */
export interface ResourceLocation {
  /** `/api/v1`, `/apis/apps/v1` */
  readonly root: string
  readonly plural: string
  readonly namespaced: boolean
  /** What its objects say they are. */
  readonly apiVersion: string
  readonly kind: string
}

interface DeclaredName {
  /** The group's full name; of the core: ''. */
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** `rbac/v1.Role` */
function parsed({ name }: Schema): DeclaredName {
  const [, short, version, kind] = /^([^/]+)\/([^.]+)\.(.+)$/.exec(name)!
  const group = groups.find((each) => each.short === short)
  if (!group) throw new TypeError(`${name} is of no group that there is`)
  return { group: group.name, version: version!, kind: kind! }
}

/** What objects of a declared kind say they are. */
export function typeOf(schema: Schema): { readonly apiVersion: string; readonly kind: string } {
  const { group, version, kind } = parsed(schema)
  return { apiVersion: group === '' ? version : `${group}/${version}`, kind }
}

/** Declarations never change, and are asked for with every request. */
const known = new WeakMap<Schema, ResourceLocation>()

/** Where a declared kind is served. */
export function locationOf(schema: Schema): ResourceLocation {
  const place = known.get(schema) ?? declaredPlace(schema)
  known.set(schema, place)
  return place
}

function declaredPlace(schema: Schema): ResourceLocation {
  const resource = schema.kind?.resource
  if (!resource) throw new TypeError(`${schema.name} is no resource`)
  const { group, version } = parsed(schema)
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  return { root, plural: resource.plural, namespaced: resource.namespaced, ...typeOf(schema) }
}

/** `apps` of `apps/v1`; of the core: ''. */
export function groupOf(apiVersion: string): string {
  return apiVersion.slice(0, Math.max(apiVersion.indexOf('/'), 0))
}
