import * as field from '../../schema/field-errors.js'
import type { FieldPath } from '../../schema/field-path.js'
import { labelKey } from '../../schema/label-names.js'
import { quote } from '../../schema/quote.js'

/** Deletion orphans the dependents. */
export const orphanFinalizer = 'orphan'
/** The object is removed after its dependents. */
export const foregroundFinalizer = 'foregroundDeletion'

/** Finalizers without a domain. The last one is for namespaces. */
const standardFinalizers: ReadonlySet<string> = new Set([orphanFinalizer, foregroundFinalizer, 'kubernetes'])

export function validateFinalizers(
  finalizers: readonly string[] | undefined,
  path: FieldPath,
): readonly field.FieldError[] {
  if (!finalizers) return []
  const errors = finalizers.flatMap((finalizer) => field.invalidForEach(path, finalizer, labelKey(finalizer)))
  if (finalizers.includes(orphanFinalizer) && finalizers.includes(foregroundFinalizer)) {
    const message = `finalizer ${orphanFinalizer} and ${foregroundFinalizer} cannot be both set`
    errors.push(field.invalid(path, finalizers, message))
  }
  return errors
}

/** Finalizers of built-in kinds need a domain, unless they are standard ones. Custom resources have no such limit. */
export function validateQualifiedFinalizers(
  finalizers: readonly string[] | undefined,
  path: FieldPath,
): readonly field.FieldError[] {
  const errors: field.FieldError[] = []
  for (const [i, finalizer] of (finalizers ?? []).entries())
    if (!finalizer.includes('/') && !standardFinalizers.has(finalizer))
      errors.push(
        field.invalid(path.index(i), finalizer, 'name is neither a standard finalizer name nor is it fully qualified'),
      )
  return errors
}

/** Rejects new finalizers of an object that is being deleted. */
export function validateNoNewFinalizers(
  finalizers: readonly string[] | undefined,
  old: readonly string[] | undefined,
  path: FieldPath,
): readonly field.FieldError[] {
  const added = [...new Set(finalizers)].filter((finalizer) => !old?.includes(finalizer)).sort()
  if (added.length === 0) return []
  const shown = `[]string{${added.map(quote).join(', ')}}`
  return [
    field.forbidden(
      path,
      `no new finalizers can be added if the object is being deleted, found new finalizers ${shown}`,
    ),
  ]
}
