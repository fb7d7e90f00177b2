import type { ResourceQuota } from '../../../api/core/v1/resource-quota.js'
import { compareText } from '../../../schema/text-order.js'
import { Quantity } from '../../../schema/values/quantity.js'
import type { Describe } from '../context.js'
import type { DescriptionPage } from '../page.js'
import { sortedKeys } from '../text.js'

const scopeWords: Readonly<Record<string, string>> = {
  Terminating:
    'Matches all pods that have an active deadline. These pods have a limited lifespan on a node before being actively terminated by the system.',
  NotTerminating:
    'Matches all pods that do not have an active deadline. These pods usually include long running pods whose container command is not expected to terminate.',
  BestEffort:
    'Matches all pods that do not have resource requirements set. These pods have a best effort quality of service.',
  NotBestEffort:
    'Matches all pods that have at least one resource requirement set. These pods have a burstable or guaranteed quality of service.',
}

export const describeResourceQuota: Describe<ResourceQuota> = (quota, { page }) => {
  page.field('Name', quota.metadata.name)
  page.field('Namespace', quota.metadata.namespace)
  writeScopes(page, quota, { level: 0, bullet: ' *' })
  page.line(0, 'Resource', 'Used', 'Hard')
  page.line(0, '--------', '----', '----')
  for (const name of sortedKeys(quota.status.hard)) {
    const hard = Quantity.parse(quota.status.hard![name]!)
    page.line(0, name, usedText(quota.status.used?.[name] ?? '0', hard), hard.toString())
  }
}

/** Formats usage in the unit of the limit. */
function usedText(text: string, hard: Quantity): string {
  const used = Quantity.parse(text)
  return used.format === hard.format ? used.toString() : Quantity.of(used.value(), hard.format).toString()
}

/** Writes all quotas of a namespace. */
export function writeQuotas(page: DescriptionPage, quotas: readonly ResourceQuota[]): void {
  if (quotas.length === 0) {
    page.line(0, 'No resource quota.')
    return
  }
  page.line(0, 'Resource Quotas')
  const sorted = [...quotas].sort((left, right) => compareText(left.metadata.name ?? '', right.metadata.name ?? ''))
  for (const quota of sorted) {
    const { hard, used } = quota.status
    page.field('Name', quota.metadata.name, 1)
    writeScopes(page, quota, { level: 1, bullet: '*' })
    page.line(1, 'Resource', 'Used', 'Hard')
    page.line(1, '--------', '---', '---')
    for (const name of sortedKeys(hard)) page.line(1, name, used?.[name] ?? '0', hard![name]!)
  }
}

function writeScopes(
  page: DescriptionPage,
  { spec }: ResourceQuota,
  look: { readonly level: number; readonly bullet: string },
): void {
  const scopes = [...(spec.scopes ?? [])].sort(compareText)
  if (scopes.length === 0) return
  page.field('Scopes', scopes.join(', '), look.level)
  for (const scope of scopes) if (scopeWords[scope]) page.line(look.level, `${look.bullet} ${scopeWords[scope]}`)
}
