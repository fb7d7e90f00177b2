import type { Column, JsonObject, JsonValue } from './declaration.js'
import type { ObjectType } from './model.js'
import { humanDuration } from './values/duration.js'
import { parseTime } from './values/time.js'

/** The columns of the table that shows objects of a kind. */
export function columnsOf(type: ObjectType): readonly Column[] {
  return type.kind?.resource?.columns ?? []
}

/** One row: a cell for each column, as of `now` in milliseconds since the epoch. */
export function cellsOf(type: ObjectType, object: JsonObject, now: number): readonly JsonValue[] {
  return columnsOf(type).map((column) => cellOf(type, column, { object, now }))
}

interface Row {
  readonly object: JsonObject
  readonly now: number
}

function cellOf(type: ObjectType, column: Column, { object, now }: Row): JsonValue {
  const cell = type.table?.cells[column.name]
  if (cell) return cell(object as never, now)
  if (column.path) return valueAtPath(object, column.path) ?? null
  return column.name === 'Age' ? age(valueAtPath(object, '.metadata.creationTimestamp'), now) : null
}

/** The conditions of a row. */
export function rowConditionsOf({ table }: ObjectType, object: JsonObject): readonly JsonObject[] {
  return table?.rowConditions?.(object as never) ?? []
}

/** The time since `time` in the short form that tables show, such as `5d3h`. */
export function age(time: JsonValue | undefined, now: number): string {
  return typeof time === 'string' ? humanDuration(now - parseTime(time)) : '<unknown>'
}

/** The value at a path of names and indices: `.spec.ports[0].name`. */
export function valueAtPath(object: JsonValue, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = object
  for (const [, name, index] of path.matchAll(/\.([^.[\]]+)|\[(\d+)\]/g)) {
    if (typeof value !== 'object' || value === null) return undefined
    const key: string = name ?? index!
    value = Object.hasOwn(value, key) ? (value as JsonObject)[key] : undefined
  }
  return value
}
