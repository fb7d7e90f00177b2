import type { LabelSelector } from '../../api/meta/v1/label-selector.js'
import { LabelSelector as Selector } from '../../api/selectors/label-selector.js'
import { compareText } from '../../schema/text-order.js'

export type TextMap = Readonly<Record<string, string>>

export const noneText = '<none>'
export const unsetText = '<unset>'

/** `[a b]` */
export function listText(values: readonly unknown[] | undefined | null): string {
  return `[${(values ?? []).join(' ')}]`
}

/** `a=b,c=d` */
export function pairsText(map: TextMap | undefined): string {
  const pairs = sortedKeys(map).map((key) => `${key}=${map![key]}`)
  return pairs.length === 0 ? noneText : pairs.join(',')
}

export function sortedKeys(map: Readonly<Record<string, unknown>> | undefined | null): readonly string[] {
  return Object.keys(map ?? {}).sort(compareText)
}

/** The selector as a query; '' if it selects nothing or everything. */
export function selectorQueryText(selector: LabelSelector | undefined): string {
  return Selector.from(selector).toString()
}

export function yesNoText(value: boolean | undefined): string {
  return value === undefined ? unsetText : value ? 'True' : 'False'
}
