import type { JsonValue } from '../../schema/declaration.js'

/** The value with `{name}` replaced, in keys and texts, by the variable of that name; what is no variable stays. */
export function filled<T extends JsonValue>(value: T, variables: Readonly<Record<string, string>>): T
export function filled(value: JsonValue, variables: Readonly<Record<string, string>>): JsonValue {
  if (typeof value === 'string') return value.replace(/\{(\w+)\}/g, (whole, name: string) => variables[name] ?? whole)
  if (Array.isArray(value)) return value.map((element) => filled(element, variables))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([key, member]) => [filled(key, variables), filled(member, variables)])
  return Object.fromEntries(members)
}
