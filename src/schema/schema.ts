import type {
  Column,
  DefaultsDeclaration,
  Field,
  Fields,
  JsonObject,
  JsonValue,
  Resource,
  Schema,
  Subresource,
  TableDeclaration,
  Union,
  Verb,
} from './declaration.js'
import type { Draft } from './infer.js'

interface SchemaOptions<Required extends Fields, Optional extends Fields> {
  /** Fields that clients must send. */
  readonly required?: Required
  /** Fields that clients may leave out. */
  readonly optional?: Optional
  readonly atomic?: boolean
  readonly unions?: readonly Union[]
  /** The feature gate that enables the type. */
  readonly gate?: string
}

/** Declares an object type. */
export function schema<Required extends Fields = NoFields, Optional extends Fields = NoFields>(
  name: string,
  options: SchemaOptions<Required, Optional> = {},
): Schema<Required, Optional> {
  const { required = {} as Required, optional = {} as Optional, atomic = false, unions = [], gate } = options
  return { is: 'schema', name, required, optional, atomic, unions, ...(gate !== undefined && { gate }) }
}

type NoFields = Record<never, Field>

interface KindOptions<Required extends Fields, Optional extends Fields> extends SchemaOptions<Required, Optional> {
  /** The resource that serves the kind. Kinds that are only sent (options, bodies of a subresource) have none. */
  readonly resource?: ResourceOptions
  readonly everywhere?: boolean
  readonly listed?: boolean
  readonly untyped?: boolean
}

/** A `Resource` as declarations write it, with defaults for most members. */
interface ResourceOptions extends Partial<Omit<Resource, 'plural' | 'singular' | 'columns' | 'verbs'>> {
  readonly plural: string
  /** By default the kind in lower case. */
  readonly singular?: string
  /** By default all of them. */
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

/** A view of the parent object that is read and written like it, such as `status`. */
export const objectSubresource: Subresource = { verbs: ['get', 'patch', 'update'] }

/** Forwards requests of any path and method to the target behind the object. */
export function proxySubresource(undeclaredKind: string): Subresource {
  const verbs: readonly Verb[] = ['create', 'delete', 'get', 'patch', 'update']
  return { verbs, undeclaredKind, query: { path: 'string' }, anyPath: true }
}

/**
 * Declares a kind: an object type whose fields `apiVersion` and `kind` are implied. The list kind is derived from it and never
 * declared.
 */
export function kind<Required extends Fields = NoFields, Optional extends Fields = NoFields>(
  name: string,
  options: KindOptions<Required, Optional>,
): Schema<Required, Optional> {
  const { resource, everywhere = false, listed = false, untyped = false } = options
  return {
    ...schema(name, options),
    kind: { everywhere, listed, untyped, ...(resource && { resource: completeResource(name, resource) }) },
  }
}

function completeResource(name: string, options: ResourceOptions): Resource {
  return {
    singular: typeName(name).toLowerCase(),
    shortNames: [],
    categories: [],
    namespaced: false,
    verbs: allVerbs,
    subresources: {},
    returnsDeleted: false,
    columns: [nameColumn, ageColumn],
    ...options,
  }
}

/** `Deployment` of `apps/v1.Deployment`. */
export function typeName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

/** A column of strings that is always shown. */
export function column(name: string, more: Partial<Omit<Column, 'name'>> = {}): Column {
  return { name, type: 'string', format: '', priority: 0, description: '', ...more }
}

export const nameColumn: Column = column('Name', { format: 'name', path: '.metadata.name' })
export const ageColumn: Column = column('Age')

/** A column that only `-o wide` shows. */
export function wideColumn(name: string, more: Partial<Omit<Column, 'name'>> = {}): Column {
  return column(name, { priority: 1, ...more })
}

/**
 * Attaches defaults to a declared type: `export const podDefaults = declareDefaults<Pod>(Pod, (draft) => …)`. `defaults` fills in what
 * depends on more than one field. It must change nothing when it runs a second time.
 */
export function declareDefaults<T>(of: Schema, defaults: (draft: Draft<T>) => void): DefaultsDeclaration {
  return { is: 'defaults', of: of.name, defaults }
}

/** Computed cells by the name of their column. `now` is in milliseconds since the epoch. */
export type TableCells<T> = Readonly<Record<string, (object: T, now: number) => JsonValue>>

/** Attaches computed table cells to a kind: `export const podTable = declareTable<Pod>(Pod, { Ready: (pod) => … })`. */
export function declareTable<T>(
  of: Schema,
  cells: TableCells<T>,
  rowConditions?: (object: T) => readonly JsonObject[],
): TableDeclaration {
  return { is: 'table', of: of.name, cells, ...(rowConditions && { rowConditions }) }
}
