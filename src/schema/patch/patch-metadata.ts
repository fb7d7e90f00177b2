import type { FieldOptions, ScalarName } from '../declaration.js'
import type { LinkedType } from '../model.js'
import { quote } from '../quote.js'
import { PatchError } from './patch-error.js'

/** How a strategic merge patch handles the value of a field. */
export interface PatchMetadata {
  /** The type of the value; for a list, the type of its elements. */
  readonly type: LinkedType
  /** Whether a list is merged by element; otherwise it is replaced. */
  readonly merges: boolean
  /** Whether an object is replaced; otherwise it is merged. */
  readonly replaces: boolean
  /** Whether patches list the members to keep, so that one alternative of a union replaces another. */
  readonly retainsKeys: boolean
  /** The member that identifies the elements of a merging list; empty for scalars. */
  readonly mergeKey: string
}

/** For an object in member `key` of a value of `type`. */
export function objectPatchMetadata(type: LinkedType, key: string): PatchMetadata {
  if (type.is === 'map') return metadata(type.of, {})
  const field = type.is === 'object' ? type.object.field.get(key) : undefined
  if (field) return metadata(field.type, field.options)
  const struct = structName(type)
  throw new PatchError(
    'unmergeable',
    struct === undefined
      ? `merging an object in json but data type is not struct, instead is: ${goKind(type)}`
      : `unable to find api field in struct ${struct} for the json field ${quote(key)}`,
  )
}

/** For a list in member `key` of a value of `type`. */
export function listPatchMetadata(type: LinkedType, key: string): PatchMetadata {
  const found = objectPatchMetadata(type, key)
  if (found.type.is !== 'list')
    throw new PatchError('unmergeable', `expected slice or array type, but got: ${goKind(type)}`)
  if (found.type.of.is === 'list') throw new PatchError('unmergeable', 'unexpected slice of slice')
  return { ...found, type: found.type.of }
}

function metadata(
  type: LinkedType,
  { mergeKey = '', patch = mergeKey ? 'merge' : undefined }: FieldOptions,
): PatchMetadata {
  return {
    type,
    merges: patch === 'merge' || patch === 'merge,retainKeys',
    replaces: patch === 'replace',
    retainsKeys: patch === 'retainKeys' || patch === 'merge,retainKeys',
    mergeKey,
  }
}

/** Whether a type is an object for strategic merge patches although its members are not declared. */
export function isOpaque(type: LinkedType): boolean {
  return type.is === 'either' || type.is === 'json' || type.is === 'rawExtension' || type.is === 'fieldsV1'
}

/** The name of a struct type in messages. */
function structName(type: LinkedType): string | undefined {
  if (type.is === 'object') return lastPart(type.object.name)
  if (type.is === 'either') return lastPart(type.name)
  return structs[type.is as ScalarName]
}

const structs: Partial<Record<ScalarName, string>> = {
  time: 'Time',
  microTime: 'MicroTime',
  quantity: 'Quantity',
  intOrString: 'IntOrString',
  json: 'JSON',
  rawExtension: 'RawExtension',
  fieldsV1: 'FieldsV1',
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

export function goKind(type: LinkedType): string {
  if (structName(type) !== undefined) return 'struct'
  if (type.is === 'list' || type.is === 'bytes') return 'slice'
  if (type.is === 'double') return 'float64'
  return type.is === 'enumeration' ? 'string' : type.is
}
