import type { LabelSelector } from '../../api/meta/v1/label-selector.js'
import { compareText } from '../../schema/text-order.js'

/** A selector as it stands in messages, which is how the original prints it. */
export function printedSelector(selector: LabelSelector | undefined): string {
  if (!selector) return 'nil'
  const labels = Object.entries(selector.matchLabels ?? {})
    .sort(([one], [other]) => compareText(one, other))
    .map(([key, value]) => `${key}: ${value},`)
  const expressions = (selector.matchExpressions ?? []).map(
    ({ key, operator, values = [] }) =>
      `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],}`,
  )
  const list = expressions.map((each) => `${each},`).join('')
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:[]LabelSelectorRequirement{${list}},}`
}
