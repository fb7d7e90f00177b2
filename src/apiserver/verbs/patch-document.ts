import { badRequest } from '../../api/errors.js'
import type { JsonValue } from '../../schema/declaration.js'
import type { FieldValidation } from '../../schema/decode/decoder.js'
import {
  ExactObject,
  type ExactValue,
  JsonSyntaxError,
  maximumJsonDepth,
  readJson,
} from '../../schema/decode/json-reader.js'
import { scanJson } from '../../schema/decode/json-scan.js'
import { jsonTextOfBytes } from '../../schema/json-text.js'
import { quote } from '../../schema/quote.js'

/** A parsed patch. */
export interface PatchDocument {
  readonly value: JsonValue
  readonly text: string
  /** One message for each duplicate key. */
  readonly duplicates: readonly string[]
}

export function parsePatch(bytes: Uint8Array, validation: FieldValidation): PatchDocument {
  const text = jsonTextOfBytes(bytes)
  try {
    const value = JSON.parse(text) as JsonValue
    const { depth, members } = scanJson(bytes)
    if (depth > maximumJsonDepth) throw new RangeError('the patch is nested too deeply')
    const duplicates = validation === 'Ignore' || members === countMembers(value) ? [] : duplicatesIn(text)
    return { value, text, duplicates }
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof RangeError)) throw error
    throw badRequest(`error decoding patch: ${exactProblem(text)}`)
  }
}

function exactProblem(text: string): string {
  try {
    readJson(text)
    return 'exceeded max depth'
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error.message
    throw error
  }
}

function countMembers(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0
  if (Array.isArray(value)) return value.reduce<number>((sum, element) => sum + countMembers(element), 0)
  return Object.values(value).reduce<number>((sum, member) => sum + 1 + countMembers(member), 0)
}

function duplicatesIn(text: string): readonly string[] {
  const found: string[] = []
  collect(readJson(text), '', found)
  return found
}

function collect(value: ExactValue, path: string, found: string[]): void {
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) collect(element, `${path}[${index}]`, found)
    return
  }
  if (!(value instanceof ExactObject)) return
  const seen = new Set<string>()
  for (const [key, member] of value.members) {
    const at = path === '' ? key : `${path}.${key}`
    if (seen.has(key)) found.push(`duplicate field ${quote(at)}`)
    seen.add(key)
    collect(member, at, found)
  }
}
