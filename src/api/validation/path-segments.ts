import * as field from '../../schema/field-errors.js'
import type { FieldPath } from '../../schema/field-path.js'
import { pathSegment } from '../../schema/names.js'

/** A text that must be there, and could be part of the path of a request. */
export function validatePathSegment(text: string, path: FieldPath): readonly field.FieldError[] {
  return text === '' ? [field.required(path)] : field.invalidForEach(path, text, pathSegment(text))
}
