/** Validates lists and maps with a maximum size. Elements of one that is too large are not validated. */
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'

export type ElementRule<T> = (element: T, path: FieldPath) => readonly field.FieldError[]

export interface ListRules<T> {
  readonly maximum?: number
  /** The identity of an element, for lists of distinct elements. */
  readonly key?: (element: T) => string
}

/** Validates the elements, then rejects duplicates. */
export function validateList<T>(
  list: readonly T[] | undefined | null,
  path: FieldPath,
  rule: ElementRule<T>,
  { maximum, key }: ListRules<T> = {},
): readonly field.FieldError[] {
  if (!list || list.length === 0) return field.none
  if (maximum !== undefined && list.length > maximum) return [field.tooMany(path, list.length, maximum)]
  const errors = list.flatMap((element, i) => rule(element, path.index(i)))
  if (!key) return errors
  const keys = list.map(key)
  return [
    ...errors,
    ...keys.flatMap((text, i) => (keys.indexOf(text) < i ? [field.duplicate(path.index(i), text)] : [])),
  ]
}

/** `keyRule` validates keys. Errors of keys and values have the path of the value. */
export function validateMap<T>(
  map: Readonly<Record<string, T>> | undefined | null,
  path: FieldPath,
  keyRule: ElementRule<string>,
  { rule, maximum, longestKey }: { rule: ElementRule<T>; maximum?: number; longestKey: number },
): readonly field.FieldError[] {
  const entries = Object.entries(map ?? {})
  if (maximum !== undefined && entries.length > maximum) return [field.tooMany(path, entries.length, maximum)]
  return entries.flatMap(([key, value]) => {
    const at = path.key(shortened(key, longestKey))
    return [...keyRule(key, at), ...rule(value, at)]
  })
}

/** Removes the middle of keys that are too long, for messages. */
function shortened(key: string, longest: number): string {
  const length = Math.max(longest, 16)
  if (key.length <= length) return key
  const remaining = length - 3
  return `${key.slice(0, Math.ceil(remaining / 2))}...${key.slice(key.length - Math.floor(remaining / 2))}`
}
