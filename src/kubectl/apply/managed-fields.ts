import type { JsonObject, JsonValue } from '../../schema/declaration.js'
import { isObject, objectIn, stringIn } from '../../schema/json-value.js'

interface Migration {
  /** The field manager of client-side apply. */
  readonly from: string
  /** A manager that owns this annotation by an update also used client-side apply. */
  readonly annotation: string
  readonly to: string
}

/** Returns the entries with the fields of client-side apply moved to the new manager; undefined if there are none to move. */
export function migratedManagers(
  entries: readonly JsonObject[],
  { from, annotation, to }: Migration,
): readonly JsonObject[] | undefined {
  const isOld = (entry: JsonObject) =>
    entry.operation === 'Update' &&
    !stringIn(entry, 'subresource') &&
    (entry.manager === from || owns(entry, annotation))
  const old = entries.filter(isOld)
  if (old.length === 0) return undefined
  const own = entries.find(
    (entry) => entry.manager === to && entry.operation === 'Apply' && !stringIn(entry, 'subresource'),
  )
  const fields = [own, ...old].map((entry) => (entry?.fieldsV1 ?? {}) as JsonValue).reduce(union)
  const merged: JsonObject = { ...(own ?? old[0]!), manager: to, operation: 'Apply', fieldsV1: fields }
  return [merged, ...entries.filter((entry) => entry !== own && !isOld(entry))].map(({ time: _, ...entry }) => entry)
}

/** Whether the fields of an entry contain an annotation. */
export function owns(entry: JsonObject, annotation: string): boolean {
  const metadata = objectIn(objectIn(entry, 'fieldsV1') ?? {}, 'f:metadata')
  return metadata !== undefined && objectIn(metadata, 'f:annotations')?.[`f:${annotation}`] !== undefined
}

/** Merges two field sets, which are trees. */
function union(left: JsonValue, right: JsonValue): JsonValue {
  if (!isObject(left) || !isObject(right)) return left
  const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])]
  return Object.fromEntries(keys.map((key) => [key, union(left[key] ?? {}, right[key] ?? {})]))
}
