/** Files that the kubelet writes into volumes. */
import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { validateDescendingPath } from '../../../validation/paths.js'

/** Names that begin with two dots are the kubelet's own. */
export function checkFilePath(value: string, path: FieldPath, errors: FieldError[]): void {
  const wrong = validateDescendingPath(value, path)
  if (wrong.length > 0) errors.push(...wrong)
  if (value.startsWith('..') && !value.startsWith('../'))
    errors.push(field.invalid(path, value, "must not start with '..'"))
}

export function checkFileMode(mode: number | undefined, path: FieldPath, errors: FieldError[]): void {
  if (mode !== undefined && (mode < 0 || mode > 0o777))
    errors.push(field.invalid(path, mode, 'must be a number between 0 and 0777 (octal), both inclusive'))
}
