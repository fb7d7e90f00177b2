import { boolean, text } from '../../base/flags/flag-types.js'
import type { FlagTable } from '../../base/flags/flags.js'
import type { JsonObject } from '../../schema/declaration.js'
import { quote } from '../../schema/quote.js'
import type { CommandContext } from '../command.js'
import { jsonText } from '../printers/json.js'
import { dryRunFlag } from '../printers/result.js'
import { metadataOf, withMetadata } from '../resources/resource-object.js'

/** What commands that change something share: who changes, how strictly the server reads, and what was applied last. */

/** As whom the server notes the fields that are changed. */
export function managerFlag(initial: string) {
  return { 'field-manager': text('Name under which the server notes who owns the fields', { initial }) } as const
}

export const validateFlag = {
  validate: text('strict (or true), warn, or ignore (or false): what becomes of unknown fields', {
    initial: 'strict',
    bare: 'strict',
  }),
} as const

export const changeFlags = { ...dryRunFlag, ...validateFlag } as const

export const recordFlag = {
  record: boolean('Note the line that was typed in an annotation of the object', {
    deprecated: '--record will be removed in the future',
  }),
} as const

type FieldValidation = 'Strict' | 'Warn' | 'Ignore'

const validations: Readonly<Record<string, FieldValidation>> = {
  strict: 'Strict',
  true: 'Strict',
  warn: 'Warn',
  ignore: 'Ignore',
  false: 'Ignore',
}

export function fieldValidationOf({ validate }: { readonly validate: string }): FieldValidation {
  const found = Object.hasOwn(validations, validate.toLowerCase()) ? validations[validate.toLowerCase()] : undefined
  if (found) return found
  throw new Error(
    `invalid - validate option ${quote(validate)}; must be one of: strict (or true), warn, ignore (or false)`,
  )
}

export const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration'

/** An object that tells, in an annotation, what it was applied as: itself, without that annotation. `isTyped`: it was made here. */
export function withLastApplied(object: JsonObject, { isTyped = false } = {}): JsonObject {
  const { [lastAppliedAnnotation]: _, ...annotations } = metadataOf(object).annotations ?? {}
  const isBare = isTyped && Object.keys(annotations).length === 0
  const applied = `${jsonText(withMetadata(object, { annotations: isBare ? undefined : annotations }), 0, isTyped)}\n`
  return withMetadata(object, { annotations: { ...annotations, [lastAppliedAnnotation]: applied } })
}

export function lastApplied(object: JsonObject): JsonObject | undefined {
  const found = metadataOf(object).annotations?.[lastAppliedAnnotation]
  return found === undefined ? undefined : (JSON.parse(found) as JsonObject)
}

export const changeCause = 'kubernetes.io/change-cause'

/** With the line that was typed, as `--record` wants it. */
export function withChangeCause<Table extends FlagTable>(
  { line }: Pick<CommandContext<Table>, 'line'>,
  object: JsonObject,
): JsonObject {
  const { annotations } = metadataOf(object)
  return withMetadata(object, { annotations: { ...annotations, [changeCause]: line } })
}
