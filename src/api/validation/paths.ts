/** Paths that must stay inside of a folder. */
import type { FieldError } from '../../schema/field-errors.js'
import * as field from '../../schema/field-errors.js'
import type { FieldPath } from '../../schema/field-path.js'
import { pathSegment } from '../../schema/names.js'

/** A path that leads down from where it starts. */
export function validateDescendingPath(value: string, path: FieldPath): readonly FieldError[] {
  const steps = validatePathWithoutBacksteps(value, path)
  return value.startsWith('/') ? [field.invalid(path, value, 'must be a relative path'), ...steps] : steps
}

/** However often a path goes up, it is told once. */
export function validatePathWithoutBacksteps(value: string, path: FieldPath): readonly FieldError[] {
  if (!value.includes('..') || !value.split('/').includes('..')) return field.none
  return [field.invalid(path, value, "must not contain '..'")]
}

/** A text that must be there, and could be part of the path of a request. */
export function validatePathSegment(text: string, path: FieldPath): readonly field.FieldError[] {
  return text === '' ? [field.required(path)] : field.invalidForEach(path, text, pathSegment(text))
}
