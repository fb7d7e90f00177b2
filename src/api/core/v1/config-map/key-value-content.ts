/** Validates the content of config maps and secrets: values by key, each of which can become a file. */
import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { configMapKey } from '../../../../schema/identifiers.js'

/** The maximum size of all values together, in bytes, without keys. */
export const largestContent = 1024 * 1024

export const sealed = 'field is immutable when `immutable` is set'

type Content = Readonly<Record<string, string>>

/** Keys must be valid file names. `more` returns further errors of a key. */
export function checkKeys(content: Content, path: FieldPath, errors: FieldError[], more?: (key: string) => void): void {
  for (const key of Object.keys(content)) {
    const messages = configMapKey(key)
    if (messages.length > 0) errors.push(...field.invalidForEach(path.key(key), key, messages))
    more?.(key)
  }
}

export function sizeOf(content: Content, bytes: (value: string) => number): number {
  let size = 0
  for (const value of Object.values(content)) size += bytes(value)
  return size
}

export function bytesOf(text: string): number {
  return Buffer.byteLength(text)
}

/** The number of bytes that a base64 text encodes. */
export function bytesOfBase64(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return (text.length / 4) * 3 - padding
}
