import type {
  EitherType,
  EnumerationType,
  Field,
  FieldOptions,
  JsonValue,
  PresentField,
  ReferenceType,
  ScalarName,
  Tag,
  Type,
} from './declaration.js'

/** The type of the elements of a list or map: a scalar (`string`), an enumeration, or a reference. */
export interface ElementType<T> {
  readonly type: Type
  /** Only for the compiler. */
  readonly element?: T
}

/** Declares a field of a scalar type; as an element, `list(3, string)`, it stands for the type itself. */
export interface ScalarField<T> extends ElementType<T> {
  (tag: Tag, options: FieldOptions & { readonly always: true }): PresentField<T>
  (tag: Tag, options?: FieldOptions): Field<T>
}

function scalar<T>(is: ScalarName): ScalarField<T> {
  const type: Type = { is }
  const declare = (tag: Tag, options: FieldOptions = {}): Field<T> => ({ type, tag, options })
  return Object.assign(declare, { type }) as ScalarField<T>
}

export const string = scalar<string>('string')
export const bool = scalar<boolean>('bool')
export const int32 = scalar<number>('int32')
export const int64 = scalar<number>('int64')
export const double = scalar<number>('double')
/** Base64, as in JSON. */
export const bytes = scalar<string>('bytes')
/** `2006-01-02T15:04:05Z` */
export const time = scalar<string>('time')
/** `2006-01-02T15:04:05.000000Z` */
export const microTime = scalar<string>('microTime')
/** In canonical form: `500m`, `1536Mi`. */
export const quantity = scalar<string>('quantity')
export const intOrString = scalar<number | string>('intOrString')
export const json = scalar<JsonValue>('json')
export const rawExtension = scalar<JsonValue>('rawExtension')
export const fieldsV1 = scalar<JsonValue>('fieldsV1')

/** A reference to a declared object type, as a field (`ref<Probe>(10, 'core/v1.Probe')`) or as an element (`ref<Probe>('…')`). */
export function ref<T>(name: string): ElementType<T>
export function ref<T>(tag: Tag, name: string, options: FieldOptions & { readonly always: true }): PresentField<T>
export function ref<T>(tag: Tag, name: string, options?: FieldOptions): Field<T>
export function ref(tagOrName: Tag | string, name?: string, options: FieldOptions = {}): unknown {
  if (name === undefined) return { type: reference(tagOrName as string) }
  return { type: reference(name), tag: tagOrName, options }
}

function reference(name: string): ReferenceType {
  return { is: 'reference', name }
}

export function list<T>(tag: Tag, of: ElementType<T>, options: FieldOptions = {}): Field<readonly T[]> {
  return { type: { is: 'list', of: of.type }, tag, options }
}

export function map<T>(tag: Tag, of: ElementType<T>, options: FieldOptions = {}): Field<Readonly<Record<string, T>>> {
  return { type: { is: 'map', of: of.type }, tag, options }
}

/** A list as an element: `map(4, listOf(string))`. */
export function listOf<T>(of: ElementType<T>): ElementType<readonly T[]> {
  return { type: { is: 'list', of: of.type } }
}

/** A declared set of string values; doubles as an element type. */
export interface Enumeration<T extends string> extends ElementType<T> {
  readonly type: EnumerationType
}

/** A string with exactly these values. */
export function enumeration<const V extends string>(name: string, values: readonly V[]): Enumeration<V> {
  return { type: { is: 'enumeration', name, values, open: false } }
}

/** A string with known values. Other values are accepted as well. */
export function openEnumeration<const V extends string>(
  name: string,
  values: readonly V[],
): Enumeration<V | (string & {})> {
  return { type: { is: 'enumeration', name, values, open: true } }
}

/** The TypeScript type of an enumeration's values. */
export type Values<E> = E extends Enumeration<infer V> ? V : never

/** A field of an enumeration. */
export function oneOf<V extends string>(tag: Tag, of: Enumeration<V>, options: FieldOptions = {}): Field<V> {
  return { type: of.type, tag, options }
}

/** A named type that is one of several types that differ in JSON. */
export function either<T>(name: string, ...alternatives: readonly ElementType<unknown>[]): ElementType<T> {
  const type: EitherType = { is: 'either', name, alternatives: alternatives.map((one) => one.type) }
  return { type }
}

/** A field of any element type, for types without a field function of their own. */
export function field<T>(tag: Tag, of: ElementType<T>, options: FieldOptions = {}): Field<T> {
  return { type: of.type, tag, options }
}
