import type { PodTemplateSpec } from '../../api/core/v1/pod-template.js'
import type { JsonValue } from '../../schema/declaration.js'
import { isList, isObject } from '../../schema/json-value.js'

/** By which pods of different templates are told apart: the value of a label, and part of names. */
export const templateHashLabel = 'pod-template-hash'

/**
 * A short name for a template, the same as long as the template is. It is made of letters and digits that form no words. Two templates may
 * by chance have the same; `collisions`, how often that was seen, leads to another.
 */
export function templateHash(template: PodTemplateSpec, collisions?: number): string {
  const counted = collisions === undefined ? '' : `#${collisions}`
  const hash = fnv32a(canonicalText(template as JsonValue) + counted)
  return safelyEncoded(String(hash).padStart(shortest, '0'))
}

const shortest = 8

/** Fowler, Noll, Vo: 32 bits, over the UTF-8 of the text. */
function fnv32a(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}

/** Without vowels, and without digits that look like them, nothing that can be read comes of it. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789'

function safelyEncoded(text: string): string {
  return text.replace(/./g, (character) => alphabet[character.charCodeAt(0) % alphabet.length]!)
}

/** JSON in which the order of keys does not count. */
function canonicalText(value: JsonValue): string {
  if (isList(value)) return `[${value.map(canonicalText).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.keys(value).filter((key) => value[key] !== undefined)
  return `{${members
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalText(value[key]!)}`)
    .join(',')}}`
}
