import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import type { Draft } from '../../../../schema/infer.js'
import { labelKey } from '../../../../schema/label-names.js'
import type { LabelSelector, LabelSelectorRequirement } from '../../../meta/v1/label-selector.js'

/**
 * `matchLabelKeys` of affinity terms and spread constraints name labels whose values come from the pod itself, such as its revision. They
 * become expressions of the selector when the pod is created, so that the scheduler need not know them.
 */

export function mergeLabelKeys(
  selector: Draft<LabelSelector>,
  keys: readonly string[] | undefined,
  { operator, labels }: { readonly operator: 'In' | 'NotIn'; readonly labels: Readonly<Record<string, string>> },
): void {
  const merged: LabelSelectorRequirement[] = []
  for (const key of keys ?? []) if (Object.hasOwn(labels, key)) merged.push({ key, operator, values: [labels[key]!] })
  if (merged.length > 0)
    selector.matchExpressions = [...(selector.matchExpressions ?? []), ...(merged as Draft<LabelSelectorRequirement>[])]
}

/** Validates such keys; `path` is that of their list. */
export function validateLabelKeys(
  keys: readonly string[],
  path: FieldPath,
  selector: LabelSelector | undefined,
): readonly FieldError[] {
  if (keys.length === 0) return field.none
  if (!selector) return [field.forbidden(path, 'must not be specified when labelSelector is not set')]
  return keys.flatMap((key, i) => field.invalidForEach(path.index(i), key, labelKey(key)))
}

/** Rejects keys that the selector has as well: after merging they would occur twice. Errors are at `path[position]`. */
export function validateKeysAreNotRepeated(
  keys: readonly string[],
  path: FieldPath,
  selector: LabelSelector | undefined,
): readonly FieldError[] {
  const errors: FieldError[] = []
  const seen = new Set(Object.keys(selector?.matchLabels ?? {}))
  for (const { key } of selector?.matchExpressions ?? []) {
    const position = keys.lastIndexOf(key)
    if (position >= 0 && seen.has(key))
      errors.push(field.invalid(path.index(position), key, 'exists in both matchLabelKeys and labelSelector'))
    seen.add(key)
  }
  return errors
}
