import type { JsonObject, ScalarName } from '../declaration.js'

/** Where versions 2 and 3 of OpenAPI differ in how a type is written. */
export interface Dialect {
  readonly references: string
  /** Version 3 documents state defaults; in version 2 clients have never seen any. */
  readonly defaults: boolean
  /** A reference, and what else is to be said in its place. */
  readonly referring: (reference: JsonObject, more: JsonObject) => JsonObject
  /** The definitions of scalars that have one. */
  readonly scalars: Readonly<Record<NamedScalar, JsonObject>>
}

export type NamedScalar = keyof typeof scalarNames

/** Scalars that documents define once and refer to. */
export const scalarNames = {
  time: 'io.k8s.apimachinery.pkg.apis.meta.v1.Time',
  microTime: 'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime',
  quantity: 'io.k8s.apimachinery.pkg.api.resource.Quantity',
  intOrString: 'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
  json: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON',
  rawExtension: 'io.k8s.apimachinery.pkg.runtime.RawExtension',
  fieldsV1: 'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1',
} as const satisfies Partial<Record<ScalarName, string>>

/** Scalars that are written where they stand. */
export const plainScalars: Readonly<Record<Exclude<ScalarName, NamedScalar>, JsonObject>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  double: { type: 'number', format: 'double' },
  bytes: { type: 'string', format: 'byte' },
}

export function isNamedScalar(name: ScalarName): name is NamedScalar {
  return name in scalarNames
}

const dateTime: JsonObject = { type: 'string', format: 'date-time' }
const anyObject: JsonObject = { type: 'object' }

const scalars: Dialect['scalars'] = {
  time: dateTime,
  microTime: dateTime,
  quantity: { type: 'string' },
  intOrString: { type: 'string', format: 'int-or-string' },
  json: {},
  rawExtension: anyObject,
  fieldsV1: anyObject,
}

export const version2: Dialect = {
  references: '#/definitions/',
  defaults: false,
  referring: (reference, more) => (isEmptySchema(more) ? reference : { ...reference, ...more }),
  scalars,
}

export const version3: Dialect = {
  references: '#/components/schemas/',
  defaults: true,
  // What stands beside `$ref` is ignored by the rules of version 3.
  referring: (reference, more) => (isEmptySchema(more) ? reference : { allOf: [reference], ...more }),
  scalars: {
    ...scalars,
    quantity: { oneOf: [{ type: 'string' }, { type: 'number' }] },
    intOrString: { format: 'int-or-string', oneOf: [{ type: 'integer' }, { type: 'string' }] },
  },
}

export function isEmptySchema(object: JsonObject): boolean {
  for (const _ in object) return false
  return true
}
