/** Validates paths that must stay inside a folder. */
import type { FieldError } from '../../schema/field-errors.js'
import * as field from '../../schema/field-errors.js'
import type { FieldPath } from '../../schema/field-path.js'
import { pathSegment } from '../../schema/names.js'

/** A relative path without `..`. */
export function validateDescendingPath(value: string, path: FieldPath): readonly FieldError[] {
  const steps = validatePathWithoutBacksteps(value, path)
  return value.startsWith('/') ? [field.invalid(path, value, 'must be a relative path'), ...steps] : steps
}

/** Rejects a path with `..` segments, with one error for all of them. */
export function validatePathWithoutBacksteps(value: string, path: FieldPath): readonly FieldError[] {
  if (!value.includes('..') || !value.split('/').includes('..')) return field.none
  return [field.invalid(path, value, "must not contain '..'")]
}

/** Validates a required text that can be a segment of a request path. */
export function validatePathSegment(text: string, path: FieldPath): readonly field.FieldError[] {
  return text === '' ? [field.required(path)] : field.invalidForEach(path, text, pathSegment(text))
}
