import type { LabelSelector as LabelSelectorObject } from '../../api/meta/v1/label-selector.js'
import { LabelSelector } from '../../api/selectors/label-selector.js'

/** Objects never change, so what was compiled from a part of one stays right for as long as there is that part. */
const compiled = new WeakMap<object, LabelSelector>()

/** The selector of an object, compiled once. None at all chooses nothing. Throws a `ValueError`. */
export function selectorOf(selector: LabelSelectorObject | undefined | null): LabelSelector {
  return selector ? remembered(selector, () => LabelSelector.from(selector)) : LabelSelector.nothing
}

/** The selector of a ReplicationController, which is nothing but labels. None at all chooses nothing. */
export function selectorOfLabels(labels: Readonly<Record<string, string>> | undefined): LabelSelector {
  return labels ? remembered(labels, () => LabelSelector.ofLabels(labels)) : LabelSelector.nothing
}

function remembered(selector: object, compile: () => LabelSelector): LabelSelector {
  const known = compiled.get(selector)
  if (known) return known
  const made = compile()
  compiled.set(selector, made)
  return made
}
