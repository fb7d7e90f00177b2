import { badRequest } from '../../api/errors.js'
import type { KubeObject } from '../../api/kube-object.js'
import { type FieldGetter, FieldSelector, unknownField, unsupportedField } from '../../api/selectors/field-selector.js'
import { memberOf } from '../../schema/json-value.js'
import { ValueError } from '../../schema/value-error.js'
import type { CachedObject } from '../cache/cached-object.js'
import type { FieldMatch, ObjectCollection } from '../cache/object-store.js'
import type { ServedResource } from '../registry/served-resource.js'
import type { ListRequestOptions } from './list-options.js'

/** Which objects of a resource a request is about. */
export interface ObjectSelection {
  /** Of which objects they are chosen. */
  readonly objects: ObjectCollection
  /** Where they lie: all of those below, or a whole key and so one object. */
  readonly prefix: string
  readonly isOne: boolean
  /** Whether all that lie there are meant. */
  readonly isEverything: boolean
  /** A part of the collection in which all of them are. */
  readonly fieldMatch: FieldMatch | undefined
  matches(cached: Pick<CachedObject, 'labels' | 'object'>): boolean
}

export interface SelectionScope {
  readonly resource: ServedResource
  readonly namespace: string
  /** From the path; empty if it names none. */
  readonly name: string
}

export function selectObjects(
  { resource, name, ...query }: SelectionScope,
  options: ListRequestOptions,
): ObjectSelection {
  const { labels } = options
  const known = knownFields(resource)
  const test = matcher(options.fields, known)
  const fields = named(options.fields, name)
  const matchesFields = fields === options.fields ? test : matcher(fields, known)
  const { namespaced } = resource.type.kind.resource
  const namespace = query.namespace || (namespaced ? (fields.exactValue('metadata.namespace') ?? '') : '')
  const one = options.continueToken === '' ? fields.exactValue('metadata.name') : undefined
  const isOne = one !== undefined && one !== '' && (namespace !== '' || !namespaced)
  return {
    objects: options.includeUninitialized ? resource.allObjects : resource.objects,
    prefix: isOne
      ? resource.key(namespace, one)
      : namespace === ''
        ? resource.prefix
        : `${resource.prefix}${namespace}/`,
    isOne,
    isEverything: labels.isEmpty && fields.isEmpty,
    fieldMatch: partOf(fields, known),
    matches: (cached) =>
      (labels.isEmpty || labels.matches(cached.labels)) && (fields.isEmpty || matchesFields(cached.object)),
  }
}

/** A name in the path counts like a field that is asked for, and must not contradict what is asked for besides. */
function named(fields: FieldSelector, name: string): FieldSelector {
  if (name === '') return fields
  if (fields.isEmpty) return new FieldSelector([{ field: 'metadata.name', operator: '=', value: name }])
  if (fields.exactValue('metadata.name') === name) return fields
  throw badRequest("fieldSelector metadata.name doesn't match requested name")
}

/** Name and namespace lead to a place already. */
function partOf(fields: FieldSelector, known: KnownFields): FieldMatch | undefined {
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

/** A kind that declares fields knows no others, not even its namespace if it has none. */
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
