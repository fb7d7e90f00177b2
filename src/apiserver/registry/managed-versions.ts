import { asJson, asKubeObject } from '../../api/kube-object.js'
import { type ElementPath, namePath } from '../../schema/apply/field-set/field-set.js'
import { allFieldsFilter, excluding, type FieldFilter, including } from '../../schema/apply/field-set/filter.js'
import { shapeOf } from '../../schema/apply/shape/shape-of.js'
import { singleVersion, type Versions } from '../../schema/apply/versions.js'
import type { Scheme, ServedKind } from '../../schema/scheme.js'
import type { ServedResource } from './served-resource.js'

type Versioned = Pick<ServedResource, 'type' | 'stored' | 'toStored'>

/** The versions and fields whose ownership is tracked when a resource is written. */
export function trackedVersions(resource: Versioned, scheme: Scheme, subresource: string): Versions {
  const filter = filterFor(resource.stored, subresource)
  const served = versionsOf(resource.stored, scheme)
  if (served.size === 1) return singleVersion(filter)
  return {
    shape: (apiVersion) => {
      const type = served.get(apiVersion)
      return type && shapeOf(type)
    },
    convert: ({ object }, apiVersion) => {
      const cached = resource.toStored(asKubeObject(object))
      const { stored } = served.get(apiVersion)!.strategy
      return asJson(stored ? { ...stored.fromStored(cached as never), apiVersion } : cached)
    },
    filter: () => filter,
  }
}

/** All versions in which a stored kind is served, by `apiVersion`. */
function versionsOf(stored: ServedKind, scheme: Scheme): Map<string, ServedKind> {
  const versions = new Map<string, ServedKind>([[stored.kind.apiVersion, stored]])
  for (const type of scheme.resources)
    if (type.strategy.stored?.type === stored.name) versions.set(type.kind.apiVersion, type)
  return versions
}

/** A write of the object does not own status fields. A write of the status owns only those and the metadata. */
function filterFor(type: ServedKind, subresource: string): FieldFilter {
  const { subresources } = type.kind.resource ?? { subresources: {} }
  if (subresource === '') return 'status' in subresources ? excluding(namePath('status')) : allFieldsFilter
  const { owned } = type.strategy.subresources?.[subresource] ?? {}
  if (owned) return including(...owned.map((names) => namePath(...names)))
  return subresource === 'status' ? excluding(...besidesStatus(type)) : allFieldsFilter
}

function besidesStatus({ fields }: ServedKind): ElementPath[] {
  return fields.filter(({ name }) => name !== 'metadata' && name !== 'status').map(({ name }) => namePath(name))
}
