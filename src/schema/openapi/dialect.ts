import type { JsonObject, ScalarName } from '../declaration.js'

/** The differences between OpenAPI 2 and 3 in schemas. */
export interface Dialect {
  readonly references: string
  /** Whether schemas have defaults: only in version 3. */
  readonly defaults: boolean
  /** Combines a reference with further properties. */
  readonly referring: (reference: JsonObject, more: JsonObject) => JsonObject
  /** The definitions of scalars that have one. */
  readonly scalars: Readonly<Record<NamedScalar, JsonObject>>
}

export type NamedScalar = keyof typeof scalarNames

/** Scalars with a definition of their own. */
export const scalarNames = {
  time: 'io.k8s.apimachinery.pkg.apis.meta.v1.Time',
  microTime: 'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime',
  quantity: 'io.k8s.apimachinery.pkg.api.resource.Quantity',
  intOrString: 'io.k8s.apimachinery.pkg.util.intstr.IntOrString',
  json: 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON',
  rawExtension: 'io.k8s.apimachinery.pkg.runtime.RawExtension',
  fieldsV1: 'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1',
} as const satisfies Partial<Record<ScalarName, string>>

/** Scalars without a definition, which are inlined. */
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
  // Version 3 ignores properties beside `$ref`.
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
