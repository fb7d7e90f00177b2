import * as field from '../../schema/field-errors.js'
import type { FieldPath } from '../../schema/field-path.js'
import { isPrintable } from '../../schema/quote.js'
import type { ManagedFieldsEntry } from '../meta/v1/object-meta.js'

const longestManager = 128
const longestSubresource = 256

/** Validates the entries of managed fields, except for their sets of fields, which `schema/apply` reads. */
export function validateManagedFields(
  entries: readonly ManagedFieldsEntry[] | undefined,
  path: FieldPath,
): readonly field.FieldError[] {
  return entries?.flatMap((entry, i) => validateEntry(entry, path.index(i))) ?? []
}

function validateEntry(entry: ManagedFieldsEntry, path: FieldPath): readonly field.FieldError[] {
  const { operation = '', fieldsType = '', manager = '', subresource = '' } = entry
  const errors: field.FieldError[] = []
  if (operation !== 'Apply' && operation !== 'Update')
    errors.push(field.invalid(path.child('operation'), operation, 'must be `Apply` or `Update`'))
  if (fieldsType !== '' && fieldsType !== 'FieldsV1')
    errors.push(field.invalid(path.child('fieldsType'), fieldsType, 'must be `FieldsV1`'))
  errors.push(...validateFieldManager(manager, path.child('manager')))
  if (Buffer.byteLength(subresource) > longestSubresource)
    errors.push(field.tooLong(path.child('subresource'), longestSubresource))
  return errors
}

/** Validates the name of a field manager, in an entry or in the options of a request. */
export function validateFieldManager(manager: string, path: FieldPath): readonly field.FieldError[] {
  const errors: field.FieldError[] = []
  if (Buffer.byteLength(manager) > longestManager) errors.push(field.tooLong(path, longestManager))
  if (/^[ -~]*$/.test(manager)) return errors
  let position = 0
  for (const character of manager) {
    if (!isPrintable(character)) {
      const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
      errors.push(field.invalid(path, manager, `invalid character U+${code} (at position ${position})`))
    }
    position += Buffer.byteLength(character)
  }
  return errors
}
