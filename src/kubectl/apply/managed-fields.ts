import type { JsonObject, JsonValue } from '../../schema/declaration.js'
import { isObject, objectIn, stringIn } from '../../schema/json-value.js'

interface Migration {
  /** The manager of what was applied from this side. */
  readonly from: string
  /** Whoever owns this annotation by an update has done that as well. */
  readonly annotation: string
  readonly to: string
}

/** The entries with all that was applied from this side given to the new manager; undefined where there is nothing to give. */
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

/** Whether an annotation is among the fields of an entry. */
export function owns(entry: JsonObject, annotation: string): boolean {
  const metadata = objectIn(objectIn(entry, 'fieldsV1') ?? {}, 'f:metadata')
  return metadata !== undefined && objectIn(metadata, 'f:annotations')?.[`f:${annotation}`] !== undefined
}

/** Sets of fields are trees: what is in one of them is in both. */
function union(left: JsonValue, right: JsonValue): JsonValue {
  if (!isObject(left) || !isObject(right)) return left
  const keys = [...new Set([...Object.keys(left), ...Object.keys(right)])]
  return Object.fromEntries(keys.map((key) => [key, union(left[key] ?? {}, right[key] ?? {})]))
}
