import type { Pod } from '../../../api/core/v1/pod.js'
import type { Condition } from '../../../api/meta/v1/condition.js'
import { resourcePath } from '../../resources/resource-object.js'
import type { DescribeContext } from '../context.js'
import type { DescriptionPage } from '../page.js'

const phases = ['Running', 'Pending', 'Succeeded', 'Failed'] as const

interface PodOwner {
  readonly metadata: { readonly namespace?: string; readonly uid?: string }
}

/** `2 Running / 0 Waiting / 0 Succeeded / 0 Failed`: the pods of a controller, by phase. */
export async function podCountsText(
  { metadata }: PodOwner,
  labelSelector: string,
  on: DescribeContext,
): Promise<string> {
  const path = resourcePath({ root: '/api/v1', plural: 'pods', namespaced: true }, metadata.namespace)
  const all = await on.list<Pod>(path, { labelSelector })
  const own = all.filter(({ metadata: { ownerReferences = [] } }) =>
    ownerReferences.some(({ controller, uid }) => controller && uid === metadata.uid),
  )
  const [running, waiting, succeeded, failed] = phases.map(
    (phase) => own.filter(({ status }) => status.phase === phase).length,
  )
  return `${running} Running / ${waiting} Waiting / ${succeeded} Succeeded / ${failed} Failed`
}

type PlainCondition = Readonly<Pick<Condition, 'type' | 'status'>> & { readonly reason?: string }

export function writeConditionReasons(page: DescriptionPage, conditions: readonly PlainCondition[] = []): void {
  if (conditions.length === 0) return
  page.line(0, 'Conditions:')
  page.line(1, 'Type', 'Status', 'Reason')
  page.line(1, '----', '------', '------')
  for (const { type, status, reason = '' } of conditions) page.line(1, `${type} `, status, reason)
}
