import {
  bool,
  double,
  type ElementType,
  either,
  enumeration,
  field,
  int64,
  json,
  list,
  listOf,
  map,
  oneOf,
  ref,
  string,
  type Values,
} from '../../../schema/fields.js'
import type { Infer } from '../../../schema/infer.js'
import { schema } from '../../../schema/schema.js'

export const FieldValueErrorReason = enumeration('apiextensions/v1.FieldValueErrorReason', [
  'FieldValueRequired',
  'FieldValueDuplicate',
  'FieldValueInvalid',
  'FieldValueForbidden',
])
export type FieldValueErrorReason = Values<typeof FieldValueErrorReason>

export const JSONSchemaPropsOrArray: ElementType<JSONSchemaProps | readonly JSONSchemaProps[]> = either(
  'apiextensions/v1.JSONSchemaPropsOrArray',
  ref<JSONSchemaProps>('apiextensions/v1.JSONSchemaProps'),
  listOf(ref<JSONSchemaProps>('apiextensions/v1.JSONSchemaProps')),
)
export const JSONSchemaPropsOrBool: ElementType<JSONSchemaProps | boolean> = either(
  'apiextensions/v1.JSONSchemaPropsOrBool',
  bool,
  ref<JSONSchemaProps>('apiextensions/v1.JSONSchemaProps'),
)
export const JSONSchemaPropsOrStringArray: ElementType<JSONSchemaProps | readonly string[]> = either(
  'apiextensions/v1.JSONSchemaPropsOrStringArray',
  ref<JSONSchemaProps>('apiextensions/v1.JSONSchemaProps'),
  listOf(string),
)

export const JSONSchemaProps = schema('apiextensions/v1.JSONSchemaProps', {
  optional: {
    id: string(0),
    $schema: string(0, { goType: 'v1.JSONSchemaURL' }),
    $ref: string(0, { keepZero: true }),
    description: string(0),
    type: string(0),
    format: string(0),
    title: string(0),
    default: json(0),
    maximum: double(0, { keepZero: true }),
    exclusiveMaximum: bool(0),
    minimum: double(0, { keepZero: true }),
    exclusiveMinimum: bool(0),
    maxLength: int64(0, { keepZero: true }),
    minLength: int64(0, { keepZero: true }),
    pattern: string(0),
    maxItems: int64(0, { keepZero: true }),
    minItems: int64(0, { keepZero: true }),
    uniqueItems: bool(0),
    multipleOf: double(0, { keepZero: true }),
    enum: list(0, json),
    maxProperties: int64(0, { keepZero: true }),
    minProperties: int64(0, { keepZero: true }),
    required: list(0, string),
    items: field(0, JSONSchemaPropsOrArray),
    allOf: list(0, ref<JSONSchemaProps>('apiextensions/v1.JSONSchemaProps')),
    oneOf: list(0, ref<JSONSchemaProps>('apiextensions/v1.JSONSchemaProps')),
    anyOf: list(0, ref<JSONSchemaProps>('apiextensions/v1.JSONSchemaProps')),
    not: ref<JSONSchemaProps>(0, 'apiextensions/v1.JSONSchemaProps'),
    properties: map(0, ref<JSONSchemaProps>('apiextensions/v1.JSONSchemaProps')),
    additionalProperties: field(0, JSONSchemaPropsOrBool),
    patternProperties: map(0, ref<JSONSchemaProps>('apiextensions/v1.JSONSchemaProps')),
    dependencies: map(0, JSONSchemaPropsOrStringArray, { goType: 'v1.JSONSchemaDependencies' }),
    additionalItems: field(0, JSONSchemaPropsOrBool),
    definitions: map(0, ref<JSONSchemaProps>('apiextensions/v1.JSONSchemaProps'), {
      goType: 'v1.JSONSchemaDefinitions',
    }),
    externalDocs: ref<ExternalDocumentation>(0, 'apiextensions/v1.ExternalDocumentation'),
    example: json(0),
    nullable: bool(0),
    'x-kubernetes-preserve-unknown-fields': bool(0, { keepZero: true }),
    'x-kubernetes-embedded-resource': bool(0),
    'x-kubernetes-int-or-string': bool(0),
    'x-kubernetes-list-map-keys': list(0, string),
    'x-kubernetes-list-type': string(0, { keepZero: true }),
    'x-kubernetes-map-type': string(0, { keepZero: true }),
    'x-kubernetes-validations': list(0, ref<ValidationRule>('apiextensions/v1.ValidationRule'), {
      goType: 'v1.ValidationRules',
      keys: ['rule'],
      mergeKey: 'rule',
    }),
  },
})
export interface JSONSchemaProps extends Infer<typeof JSONSchemaProps> {}

export const ExternalDocumentation = schema('apiextensions/v1.ExternalDocumentation', {
  optional: {
    description: string(0),
    url: string(0),
  },
})
export interface ExternalDocumentation extends Infer<typeof ExternalDocumentation> {}

export const ValidationRule = schema('apiextensions/v1.ValidationRule', {
  required: {
    rule: string(0),
  },
  optional: {
    message: string(0),
    messageExpression: string(0),
    reason: oneOf(0, FieldValueErrorReason, { keepZero: true }),
    fieldPath: string(0),
    optionalOldSelf: bool(0, { keepZero: true }),
  },
})
export interface ValidationRule extends Infer<typeof ValidationRule> {}
