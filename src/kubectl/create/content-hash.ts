import { createHash } from 'node:crypto'
import { boolean } from '../../base/flags/flag-types.js'
import type { JsonObject } from '../../schema/declaration.js'
import { jsonText } from '../printers/json.js'
import { metadataOf, withMetadata } from '../resources/info.js'

export const hashFlag = { 'append-hash': boolean('Append a hash of the content to the name') } as const

/** Digits that could spell something stand for others. */
const replacements: Readonly<Record<string, string>> = { 0: 'g', 1: 'h', 3: 'k', a: 'm', e: 't' }

/** With a name that says what is in it: other content, other name. `counted` are the fields that count. */
export function withContentHash(object: JsonObject, counted: JsonObject): JsonObject {
  const { name = '' } = metadataOf(object)
  const text = jsonText({ kind: object.kind, name, ...counted })
  const digits = createHash('sha256').update(text).digest('hex').slice(0, 10)
  return withMetadata(object, { name: `${name}-${digits.replace(/[013ae]/g, (digit) => replacements[digit]!)}` })
}
