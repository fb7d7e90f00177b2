import type { JsonValue } from '../../schema/declaration.js'

/** The value with `{name}` replaced, in keys and texts, by the variable of that name; what is no variable stays. */
export function fillPlaceholders<T extends JsonValue>(value: T, variables: Readonly<Record<string, string>>): T
export function fillPlaceholders(value: JsonValue, variables: Readonly<Record<string, string>>): JsonValue {
  if (typeof value === 'string') return value.replace(/\{(\w+)\}/g, (whole, name: string) => variables[name] ?? whole)
  if (Array.isArray(value)) return value.map((element) => fillPlaceholders(element, variables))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([key, member]) => [
    fillPlaceholders(key, variables),
    fillPlaceholders(member, variables),
  ])
  return Object.fromEntries(members)
}
