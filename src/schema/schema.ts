import type { Column, Field, Fields, Resource, Schema, Subresource, Union, Verb } from './declaration.js'

interface SchemaParts<Required extends Fields, Optional extends Fields> {
  /** Fields that clients must give. */
  readonly required?: Required
  /** Fields that clients may leave out. */
  readonly optional?: Optional
  readonly atomic?: boolean
  readonly unions?: readonly Union[]
  /** The feature that must be on. */
  readonly gate?: string
}

/** Declares an object type. */
export function schema<Required extends Fields = NoFields, Optional extends Fields = NoFields>(
  name: string,
  parts: SchemaParts<Required, Optional> = {},
): Schema<Required, Optional> {
  const { required = {} as Required, optional = {} as Optional, atomic = false, unions = [], gate } = parts
  return { is: 'schema', name, required, optional, atomic, unions, ...(gate !== undefined && { gate }) }
}

type NoFields = Record<never, Field>

interface KindParts<Required extends Fields, Optional extends Fields> extends SchemaParts<Required, Optional> {
  /** Where the kind is served; kinds that only travel (options, reviews of a subresource) have none. */
  readonly resource?: ResourceParts
  readonly everywhere?: boolean
  readonly listed?: boolean
  readonly untyped?: boolean
}

/** A resource as it is written down: what is usual may be left out. */
export interface ResourceParts extends Partial<Omit<Resource, 'plural' | 'singular' | 'columns' | 'verbs'>> {
  readonly plural: string
  /** The kind in lower case unless given. */
  readonly singular?: string
  /** All of them unless given. */
  readonly verbs?: readonly Verb[]
  readonly columns?: readonly Column[]
}

export const allVerbs: readonly Verb[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
]

/** A view of the parent object, read and written like it: the `status` of most kinds. */
export const objectSubresource: Subresource = { verbs: ['get', 'patch', 'update'] }

/** Hands a request on to what stands behind the object, whatever its path and method. */
export function proxySubresource(undeclaredKind: string): Subresource {
  const verbs: readonly Verb[] = ['create', 'delete', 'get', 'patch', 'update']
  return { verbs, undeclaredKind, query: { path: 'string' }, anyPath: true }
}

/**
 * Declares a kind: an object type with `apiVersion` and `kind`, which need not be listed. The list of a kind is derived from it
 * and never declared.
 */
export function kind<Required extends Fields = NoFields, Optional extends Fields = NoFields>(
  name: string,
  parts: KindParts<Required, Optional>,
): Schema<Required, Optional> {
  const { resource, everywhere = false, listed = false, untyped = false } = parts
  return {
    ...schema(name, parts),
    kind: { everywhere, listed, untyped, ...(resource && { resource: completeResource(name, resource) }) },
  }
}

function completeResource(name: string, parts: ResourceParts): Resource {
  return {
    singular: typeName(name).toLowerCase(),
    shortNames: [],
    categories: [],
    namespaced: false,
    verbs: allVerbs,
    subresources: {},
    returnsDeleted: false,
    columns: [nameColumn, ageColumn],
    ...parts,
  }
}

/** `Deployment` of `apps/v1.Deployment`. */
export function typeName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

/** A column of strings, shown always. */
export function column(name: string, more: Partial<Omit<Column, 'name'>> = {}): Column {
  return { name, type: 'string', format: '', priority: 0, description: '', ...more }
}

export const nameColumn: Column = column('Name', { format: 'name', path: '.metadata.name' })
export const ageColumn: Column = column('Age')

/** A column that only `-o wide` shows. */
export function wideColumn(name: string, more: Partial<Omit<Column, 'name'>> = {}): Column {
  return column(name, { priority: 1, ...more })
}
