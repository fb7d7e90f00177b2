import type { LimitRange } from '../../../api/core/v1/limit-range.js'
import type { Namespace } from '../../../api/core/v1/namespace.js'
import type { ResourceQuota } from '../../../api/core/v1/resource-quota.js'
import { isNotFound } from '../../factory/rest.js'
import { resourcePath } from '../../resources/resource-object.js'
import type { Describe, DescribeContext } from '../context.js'
import { labelsAndAnnotations } from '../metadata.js'
import type { DescriptionPage } from '../page.js'
import { longTime } from '../times.js'
import { writeLimits } from './limit-range.js'
import { writeQuotas } from './resource-quota.js'

export const describeNamespace: Describe<Namespace> = async (namespace, on) => {
  const { page } = on
  const { metadata, status } = namespace
  const name = metadata.name ?? ''
  const quotas = await listed<ResourceQuota>('resourcequotas', name, on)
  const limits = await listed<LimitRange>('limitranges', name, on)
  page.field('Name', name)
  labelsAndAnnotations(page, metadata)
  page.field('Status', status.phase ?? '')
  writeTimedConditions(page, status.conditions)
  if (quotas) {
    page.text('\n')
    writeQuotas(page, quotas)
  }
  if (limits) {
    page.text('\n')
    writeLimits(page, limits)
  }
}

/** Undefined if the server does not serve the resource. */
async function listed<T>(plural: string, namespace: string, on: DescribeContext): Promise<readonly T[] | undefined> {
  try {
    return await on.list<T>(resourcePath({ root: '/api/v1', plural, namespaced: true }, namespace))
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

interface TimedCondition {
  readonly type: string
  readonly status: string
  readonly lastTransitionTime?: string
  readonly reason?: string
  readonly message?: string
}

export function writeTimedConditions(page: DescriptionPage, conditions: readonly TimedCondition[] = []): void {
  if (conditions.length === 0) return
  page.line(0, 'Conditions:')
  page.line(1, 'Type', 'Status', 'LastTransitionTime', 'Reason', 'Message')
  page.line(1, '----', '------', '------------------', '------', '-------')
  for (const { type, status, lastTransitionTime, reason = '', message = '' } of conditions)
    page.line(1, type, status, longTime(lastTransitionTime), reason, message)
}
