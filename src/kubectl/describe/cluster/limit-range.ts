import type { LimitRange } from '../../../api/core/v1/limit-range.js'
import type { Describe } from '../context.js'
import type { DescriptionPage } from '../page.js'
import { sortedKeys } from '../text.js'

const header = ['Resource', 'Min', 'Max', 'Default Request', 'Default Limit', 'Max Limit/Request Ratio']
const rule = header.map((name) => '-'.repeat(name.length))

export const describeLimitRange: Describe<LimitRange> = (range, { page }) => {
  page.field('Name', range.metadata.name)
  page.field('Namespace', range.metadata.namespace)
  page.line(0, 'Type', ...header)
  page.line(0, '----', ...rule)
  writeRows(page, range, '')
}

/** Writes all limits of a namespace as one table. */
export function writeLimits(page: DescriptionPage, ranges: readonly LimitRange[]): void {
  if (ranges.length === 0) {
    page.line(0, 'No LimitRange resource.')
    return
  }
  page.line(0, 'Resource Limits')
  page.line(0, ' Type', ...header)
  page.line(0, ' ----', ...rule)
  for (const range of ranges) writeRows(page, range, ' ')
}

function writeRows(page: DescriptionPage, { spec }: LimitRange, space: string): void {
  for (const limit of spec.limits ?? []) {
    const amounts = [limit.min, limit.max, limit.defaultRequest, limit.default, limit.maxLimitRequestRatio]
    const names = sortedKeys(Object.assign({}, ...amounts) as Record<string, string>)
    for (const name of names) page.line(0, `${space}${limit.type}`, name, ...amounts.map((each) => each?.[name] ?? '-'))
  }
}
