import type { LabelSelector as LabelSelectorObject } from '../../api/meta/v1/label-selector.js'
import { LabelSelector } from '../../api/selectors/label-selector.js'

/** Objects in informers are never mutated, so a compiled selector stays valid as long as its source exists. */
const compiled = new WeakMap<object, LabelSelector>()

/** Compiles a selector once. An absent one selects nothing. Throws a `ValueError`. */
export function compiledSelector(selector: LabelSelectorObject | undefined | null): LabelSelector {
  return selector ? cached(selector, () => LabelSelector.from(selector)) : LabelSelector.nothing
}

/** The same for a selector that is only a map of labels. */
export function compiledLabels(labels: Readonly<Record<string, string>> | undefined): LabelSelector {
  return labels ? cached(labels, () => LabelSelector.ofLabels(labels)) : LabelSelector.nothing
}

function cached(source: object, compile: () => LabelSelector): LabelSelector {
  const known = compiled.get(source)
  if (known) return known
  const selector = compile()
  compiled.set(source, selector)
  return selector
}
