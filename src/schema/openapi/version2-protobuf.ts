import { WireWriter } from '../../base/protobuf/writer.js'
import type { JsonObject, JsonValue } from '../declaration.js'

/**
 * Encodes an OpenAPI 2.0 document as protobuf, the only form that kubectl reads. The field numbers are those of the messages in the
 * package `openapi.v2`. Throws for an unknown member, which is a bug in this program.
 */
export function openapiV2Protobuf(document: JsonObject): Uint8Array {
  const out = new WireWriter(64 * 1024)
  writeMembers(out, document, documentRules)
  return out.finish()
}

/**
 * The content type of responses in this form. Clients request it with `@` in place of the last dot before `v1.0`, which is not a valid
 * media type: they reject that spelling in responses.
 */
export const openapiV2ProtobufType = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'

type Rule = (out: WireWriter, value: JsonValue) => void

/** How each member of a JSON object is encoded. The rule under `x-` is for vendor extensions. */
type Rules = Readonly<Record<string, Rule>> & { readonly 'x-'?: Rule }

function writeMembers(out: WireWriter, object: JsonValue, rules: Rules): void {
  for (const [name, value] of entriesLastFirst(object)) {
    const rule = rules[name]
    const extension = rules['x-']
    if (rule) rule(out, value)
    else if (extension && name.startsWith('x-')) extension(out, { [name]: value })
    else throw new Error(`OpenAPI documents have no ${name} here that protobuf could carry`)
  }
}

function entriesLastFirst(object: JsonValue): [string, JsonValue][] {
  return Object.entries(object as JsonObject).reverse()
}

function nested(out: WireWriter, field: number, write: () => void): void {
  const before = out.written
  write()
  out.message(field, before)
}

const text =
  (field: number): Rule =>
  (out, value) =>
    out.text(field, value as string)

const bool =
  (field: number): Rule =>
  (out, value) =>
    out.flag(field, value as boolean)

const each = (rule: Rule): Rule => {
  return (out, values) => {
    for (const value of [...(values as readonly JsonValue[])].reverse()) rule(out, value)
  }
}

/** A message with these rules. `rules` is a function because schemas are recursive. */
const message = (field: number, rules: () => Rules): Rule => {
  return (out, value) => nested(out, field, () => writeMembers(out, value, rules()))
}

/** A message that contains what `inner` writes. */
const wrapped = (field: number, inner: Rule): Rule => {
  return (out, value) => nested(out, field, () => inner(out, value))
}

/** A JSON object with arbitrary keys, as pairs of a name and a value. `inner` writes the value as field 2. */
const named = (field: number, inner: Rule): Rule => {
  return (out, values) => {
    for (const [name, value] of entriesLastFirst(values)) {
      nested(out, field, () => {
        inner(out, value)
        out.text(1, name)
      })
    }
  }
}

/** Any JSON value, in a field for YAML, of which JSON is a subset. */
const any = (field: number): Rule => {
  return (out, value) => nested(out, field, () => out.text(2, JSON.stringify(value)))
}

const extensions = (field: number): Rule => named(field, any(2))

const schema = (field: number): Rule => message(field, () => schemaRules)

const schemaRules: Rules = {
  $ref: text(1),
  format: text(2),
  required: each(text(19)),
  enum: each(any(20)),
  additionalProperties: wrapped(21, schema(1)),
  type: wrapped(22, text(1)),
  items: wrapped(23, schema(1)),
  properties: wrapped(25, named(1, schema(2))),
  'x-': extensions(31),
}

const queryParameterRules: Rules = {
  required: bool(1),
  in: text(2),
  name: text(4),
  type: text(6),
  uniqueItems: bool(20),
}

const pathParameterRules: Rules = {
  required: bool(1),
  in: text(2),
  name: text(4),
  type: text(5),
  uniqueItems: bool(19),
}

const bodyRules: Rules = { name: text(2), in: text(3), required: bool(4), schema: schema(5) }

const parameterRules: Readonly<Record<string, Rule>> = {
  body: message(1, () => bodyRules),
  query: wrapped(
    2,
    message(3, () => queryParameterRules),
  ),
  path: wrapped(
    2,
    message(4, () => pathParameterRules),
  ),
}

const parameter = (field: number): Rule => {
  return (out, value) =>
    nested(out, field, () => {
      const place = (value as JsonObject).in as string
      parameterRules[place]!(out, value)
    })
}

const parameterOrReference = (field: number): Rule => {
  const whole = parameter(1)
  const reference = message(2, () => ({ $ref: text(1) }))
  return wrapped(field, (out, value) => ('$ref' in (value as JsonObject) ? reference : whole)(out, value))
}

const responseRules: Rules = { description: text(1), schema: wrapped(2, schema(1)) }

const operationRules: Rules = {
  tags: each(text(1)),
  operationId: text(5),
  produces: each(text(6)),
  consumes: each(text(7)),
  parameters: each(parameterOrReference(8)),
  responses: wrapped(
    9,
    named(
      1,
      wrapped(
        2,
        message(1, () => responseRules),
      ),
    ),
  ),
  schemes: each(text(10)),
  'x-': extensions(13),
}

const operation = (field: number): Rule => message(field, () => operationRules)

const pathRules: Rules = {
  get: operation(2),
  put: operation(3),
  post: operation(4),
  delete: operation(5),
  options: operation(6),
  head: operation(7),
  patch: operation(8),
  parameters: each(parameterOrReference(9)),
}

const apiKeyRules: Rules = { type: text(1), name: text(2), in: text(3) }

const documentRules: Rules = {
  swagger: text(1),
  info: message(2, () => ({ title: text(1), version: text(2) })),
  paths: wrapped(
    8,
    named(
      2,
      message(2, () => pathRules),
    ),
  ),
  definitions: wrapped(9, named(1, schema(2))),
  parameters: wrapped(10, named(1, parameter(2))),
  security: each(wrapped(12, named(1, wrapped(2, each(text(1)))))),
  securityDefinitions: wrapped(
    13,
    named(
      1,
      wrapped(
        2,
        message(2, () => apiKeyRules),
      ),
    ),
  ),
}
