import type { JsonObject, JsonValue, Union } from '../declaration.js'
import type { Kind, ObjectField, ObjectType } from '../model.js'
import type { Scheme } from '../scheme.js'
import { capitalized, compare } from './names.js'

/** A JSON object under construction. */
export type DraftSchema = Record<string, JsonValue>

/** Adds the extensions for patch and apply to the schema of a field. */
export function addFieldExtensions(to: DraftSchema, field: ObjectField, of: ObjectType): void {
  const { mergeKey, patch, atomic } = field.options
  if (field.type.is === 'list') addListExtensions(to, field, of)
  else if (atomic !== undefined) to['x-kubernetes-map-type'] = atomic ? 'atomic' : 'granular'
  if (mergeKey !== undefined) to['x-kubernetes-patch-merge-key'] = mergeKey
  if (patch ?? mergeKey) to['x-kubernetes-patch-strategy'] = patch ?? 'merge'
}

function addListExtensions(to: DraftSchema, { name, options }: ObjectField, of: ObjectType): void {
  // List kinds are never applied, so their items have no owners.
  if (of.kind?.listOf && name === 'items') return
  to['x-kubernetes-list-type'] = options.keys ? 'map' : options.set ? 'set' : 'atomic'
  if (options.keys) to['x-kubernetes-list-map-keys'] = options.keys
}

/** The discriminator of a union names each field by its capitalized name. */
export function unions({ discriminator, fields }: Union): JsonObject {
  return {
    ...(discriminator !== undefined && { discriminator }),
    'fields-to-discriminateBy': Object.fromEntries(fields.map((field) => [field, capitalized(field)])),
  }
}

export type PublishedKind = { readonly group: string; readonly kind: string; readonly version: string }

export function groupVersionKind({ group, kind, version }: Kind): PublishedKind {
  return { group, kind, version }
}

/** The group, version and kind of a type: none, one, or one for each version of each group. */
export function groupVersionKinds({ kind }: ObjectType, scheme: Scheme): readonly PublishedKind[] {
  if (!kind) return []
  if (!kind.everywhere) return [groupVersionKind(kind)]
  return everyVersion(scheme).map(({ group, version }) => ({ group, kind: kind.kind, version }))
}

interface GroupVersion {
  readonly group: string
  readonly version: string
}

const versionsOf = new WeakMap<Scheme, readonly GroupVersion[]>()

function everyVersion(scheme: Scheme): readonly GroupVersion[] {
  const versions = versionsOf.get(scheme) ?? findVersions(scheme)
  versionsOf.set(scheme, versions)
  return versions
}

function findVersions(scheme: Scheme): readonly GroupVersion[] {
  const known = new Map<string, GroupVersion>()
  const add = (group: string, version: string) => known.set(`${group}/${version}`, { group, version })
  for (const { name, served, legacy } of scheme.groups) {
    for (const version of [...served, ...legacy]) add(name, version)
  }
  for (const { kind } of scheme.types.values()) if (kind) add(kind.group, kind.version)
  return [...known.values()].sort((a, b) => compare(a.group, b.group) || compare(a.version, b.version))
}
