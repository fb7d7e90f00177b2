import type { JsonObject, JsonValue } from '../declaration.js'
import type { FieldValidation } from '../decode/decoder.js'
import { goTypeOf, jsonTypeOf } from '../go-text.js'
import { isList, isObject } from '../json-value.js'
import { quote } from '../quote.js'
import type { JsonPatchOperation } from './json-patch.js'
import { PatchError } from './patch-error.js'

/** A patch with more operations is rejected. */
export const maximumOperations = 10_000

/** Upper bound of collected unknown fields. */
const maximumProblems = 100

export interface JsonPatchDocument {
  readonly operations: readonly JsonPatchOperation[]
  /** One message for each unknown member; none under `Ignore`. */
  readonly problems: readonly string[]
}

/** Reads a JSON Patch from a parsed request body. */
export function decodeJsonPatch(document: JsonValue, validation: FieldValidation): JsonPatchDocument {
  if (document === null) return { operations: [], problems: [] }
  if (!isList(document)) throw notA(documentTypes[validation].patch, document, validation)
  const operations = document.map((element) => decodeOperation(element, validation))
  if (operations.length > maximumOperations)
    throw new PatchError(
      'tooLarge',
      `The allowed maximum operations in a JSON patch is ${maximumOperations}, got ${operations.length}`,
    )
  return { operations, problems: validation === 'Ignore' ? [] : unknownMembers(document) }
}

/** Type names in messages. */
const checked = { patch: '[]handlers.jsonPatchOp', operation: 'handlers.jsonPatchOp' }
const documentTypes = {
  Strict: checked,
  Warn: checked,
  Ignore: { patch: 'jsonpatch.Patch', operation: 'jsonpatch.Operation' },
}

function notA(type: string, value: JsonValue, validation: FieldValidation): PatchError {
  const prefix = validation === 'Ignore' ? '' : 'error decoding patch: '
  return new PatchError(
    'malformed',
    `${prefix}json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type ${type}`,
  )
}

const textMembers: readonly string[] = ['op', 'path', 'from'] satisfies (keyof JsonPatchOperation)[]

function decodeOperation(element: JsonValue, validation: FieldValidation): JsonPatchOperation {
  if (element === null) return {}
  if (!isObject(element)) throw notA(documentTypes[validation].operation, element, validation)
  const members = Object.entries(element).filter(([key, value]) => isMember(key, value, validation))
  return Object.fromEntries(members)
}

/** Whether operations have this member. Null counts as absent, except for `value`. */
function isMember(key: string, value: JsonValue, validation: FieldValidation): boolean {
  if (!textMembers.includes(key)) return key === 'value'
  if (typeof value === 'string') return true
  if (value === null || validation === 'Ignore') return false
  throw new PatchError(
    'malformed',
    `error decoding patch: json: cannot unmarshal ${jsonTypeOf(value)} into Go struct field jsonPatchOp.${key} of type string`,
  )
}

function unknownMembers(document: readonly JsonValue[]): readonly string[] {
  const known = [...textMembers, 'value']
  const problems: string[] = []
  for (const [index, element] of document.entries()) {
    if (!isObject(element)) continue
    for (const key of Object.keys(element)) {
      if (problems.length === maximumProblems) return problems
      if (!known.includes(key)) problems.push(`json patch unknown field ${quote(`[${index}].${key}`)}`)
    }
  }
  return problems
}

/** Reads a merge patch. Under `Ignore` a list is accepted as well, and replaces the object. */
export function decodeMergePatch(document: JsonValue, validation: FieldValidation): JsonValue {
  if (isObject(document) || (isList(document) && validation === 'Ignore')) return document
  if (document === null || validation === 'Ignore') throw new PatchError('malformed', 'Invalid JSON Patch')
  throw notA(goTypeOf({}), document, validation)
}

/** Reads a strategic merge patch; null patches nothing. */
export function decodeStrategicPatch(document: JsonValue): JsonObject {
  if (document === null) return {}
  if (!isObject(document)) throw notA(goTypeOf({}), document, 'Ignore')
  return document
}
