import { LabelSelector } from '../../api/selectors/label-selector.js'
import type { JsonObject } from '../../schema/declaration.js'
import { metadataOf } from './info.js'

/** Whether the labels of an object are what a selector asks for. */
export function matchesSelector(object: JsonObject, selector: string): boolean {
  return LabelSelector.parse(selector).matches(metadataOf(object).labels ?? {})
}
