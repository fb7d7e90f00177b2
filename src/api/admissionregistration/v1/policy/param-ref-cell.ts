import type { LabelSelector } from '../../../meta/v1/label-selector.js'
import type { ParamRef } from '../parameters.js'

/** Formats the parameter reference of a binding for tables. Whether the parameters are namespaced is unknown here. */
export function paramRefCell(ref: ParamRef | undefined): string {
  if (ref?.name) return `${ref.namespace || '*'}/${ref.name}`
  return ref?.selector ? selectorText(ref.selector) : '<unset>'
}

/** Formats a selector like Go. */
function selectorText({ matchLabels, matchExpressions }: LabelSelector): string {
  const labels = Object.entries(matchLabels ?? {}).sort(([one], [other]) => (one < other ? -1 : 1))
  const labelText = labels.map(([key, value]) => `${key}: ${value},`).join('')
  const expressionText = (matchExpressions ?? [])
    .map(({ key, operator, values }) => {
      const list = (values ?? []).join(' ')
      return `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${list}],},`
    })
    .join('')
  return `&LabelSelector{MatchLabels:map[string]string{${labelText}},MatchExpressions:[]LabelSelectorRequirement{${expressionText}},}`
}
