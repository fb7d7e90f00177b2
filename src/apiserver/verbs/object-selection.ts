import { badRequest } from '../../api/errors.js'
import type { KubeObject } from '../../api/kube-object.js'
import { type FieldGetter, FieldSelector, unknownField, unsupportedField } from '../../api/selectors/field-selector.js'
import { memberOf } from '../../schema/json-value.js'
import { ValueError } from '../../schema/value-error.js'
import type { CachedObject } from '../cache/cached-object.js'
import type { FieldMatch, ObjectCollection } from '../cache/object-store.js'
import type { ServedResource } from '../registry/served-resource.js'
import type { ListRequestOptions } from './list-options.js'

/** The objects of a resource that a list or watch selects. */
export interface ObjectSelection {
  /** The collection from which they are selected. */
  readonly objects: ObjectCollection
  /** Their common key prefix, or a whole key for one object. */
  readonly prefix: string
  readonly isOne: boolean
  /** Whether there are no selectors: all objects below the prefix match. */
  readonly isEverything: boolean
  /** A field value that all of them have. */
  readonly fieldMatch: FieldMatch | undefined
  matches(cached: Pick<CachedObject, 'labels' | 'object'>): boolean
}

export interface SelectionScope {
  readonly resource: ServedResource
  readonly namespace: string
  /** The name in the path; empty if it has none. */
  readonly name: string
}

/** Rejects selectors that contradict each other or name unsupported fields. */
export function selectObjects(
  { resource, name, ...query }: SelectionScope,
  options: ListRequestOptions,
): ObjectSelection {
  const { labels } = options
  const known = knownFields(resource)
  const matchesGiven = matcher(options.fields, known)
  const fields = withName(options.fields, name)
  const matchesFields = fields === options.fields ? matchesGiven : matcher(fields, known)
  const { namespaced } = resource.type.kind.resource
  const namespace = query.namespace || (namespaced ? (fields.exactValue('metadata.namespace') ?? '') : '')
  const exactName = options.continueToken === '' ? fields.exactValue('metadata.name') : undefined
  const isOne = exactName !== undefined && exactName !== '' && (namespace !== '' || !namespaced)
  return {
    objects: options.includeUninitialized ? resource.allObjects : resource.objects,
    prefix: isOne
      ? resource.key(namespace, exactName)
      : namespace === ''
        ? resource.prefix
        : `${resource.prefix}${namespace}/`,
    isOne,
    isEverything: labels.isEmpty && fields.isEmpty,
    fieldMatch: fieldMatchOf(fields, known),
    matches: (cached) =>
      (labels.isEmpty || labels.matches(cached.labels)) && (fields.isEmpty || matchesFields(cached.object)),
  }
}

/** A name in the path counts as a field selector, and must agree with the other field selectors. */
function withName(fields: FieldSelector, name: string): FieldSelector {
  if (name === '') return fields
  if (fields.isEmpty) return new FieldSelector([{ field: 'metadata.name', operator: '=', value: name }])
  if (fields.exactValue('metadata.name') === name) return fields
  throw badRequest("fieldSelector metadata.name doesn't match requested name")
}

/** The first exact field requirement. Name and namespace are part of the prefix already. */
function fieldMatchOf(fields: FieldSelector, known: KnownFields): FieldMatch | undefined {
  const exact = fields.requirements.find(({ field, operator }) => operator === '=' && !field.startsWith('metadata.'))
  return exact && { field: exact.field, value: exact.value, read: known(exact.field) }
}

type KnownFields = (field: string) => FieldGetter<KubeObject>

function matcher(fields: FieldSelector, known: KnownFields): (object: KubeObject) => boolean {
  try {
    return fields.matcher(known)
  } catch (error) {
    throw error instanceof ValueError ? badRequest(error.message) : error
  }
}

/** The fields that selectors of a kind may use. A cluster-scoped kind that declares fields does not support the namespace. */
function knownFields({ type, stored }: ServedResource): KnownFields {
  const own = stored.strategy.fields as Readonly<Record<string, FieldGetter<KubeObject>>> | undefined
  const names = type.strategy.stored?.fields
  return (field) => {
    const value = memberOf(own, names ? (memberOf(names, field) ?? '') : field)
    if (value) return value
    if (field === 'metadata.name') return ({ metadata }) => metadata.name ?? ''
    if (field === 'metadata.namespace' && (!own || stored.kind.resource.namespaced))
      return ({ metadata }) => metadata.namespace ?? ''
    throw own ? unsupportedField(field, stored.strategy) : unknownField(field)
  }
}
