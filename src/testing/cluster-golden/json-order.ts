import type { JsonValue } from '../../schema/declaration.js'
import { compareText } from '../../schema/text-order.js'

/** Compares by type or name, then by content. */
export function compareJson(one: JsonValue, other: JsonValue): number {
  return compareText(titleOf(one), titleOf(other)) || compareText(sortedText(one), sortedText(other))
}

function titleOf(value: JsonValue): string {
  const { type, name, metadata } = (value ?? {}) as { type?: string; name?: string; metadata?: { name?: string } }
  return type ?? metadata?.name ?? name ?? ''
}

/** Returns JSON text with sorted members. */
export function sortedText(value: JsonValue): string {
  return JSON.stringify(value, (_, member: JsonValue) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => compareText(one, other)))
      : member,
  )
}
