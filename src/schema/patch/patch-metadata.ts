import type { FieldOptions, ScalarName } from '../declaration.js'
import type { LinkedType } from '../model.js'
import { quote } from '../quote.js'
import { PatchError } from './patch-error.js'

/** How a strategic merge patch treats the value of a field. */
export interface PatchMetadata {
  /** The type of the value; for a list, that of its elements. */
  readonly type: LinkedType
  /** Whether a list merges element by element; it is replaced as a whole otherwise. */
  readonly merges: boolean
  /** Whether an object is replaced as a whole; it merges otherwise. */
  readonly replaces: boolean
  /** Whether patches say which members an object keeps, so that one alternative can take the place of another. */
  readonly retainsKeys: boolean
  /** What tells the elements of a merging list apart; empty if they are scalars, which tell themselves apart. */
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

/** Types that are objects to a strategic merge patch although nothing is declared about what is inside. */
export function isOpaque(type: LinkedType): boolean {
  return type.is === 'either' || type.is === 'json' || type.is === 'rawExtension' || type.is === 'fieldsV1'
}

/** The name of a type that is a structure, as messages have it. */
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
