import type { Endpoints } from '../../api/core/v1/endpoints.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { Service } from '../../api/core/v1/service.js'
import { isSame } from '../../api/validation/immutability.js'
import type { Given } from '../../client/resource-client.js'
import { headlessLabel } from '../services/endpoint-slices.js'
import { isHeadless } from '../services/membership.js'
import { withTriggerTime } from '../services/trigger-times.js'
import { subsetsOf } from './subsets.js'
import { truncate } from './truncation.js'

const managedByLabel = 'endpoints.kubernetes.io/managed-by'
const manager = 'endpoint-controller'
const overCapacityAnnotation = 'endpoints.kubernetes.io/over-capacity'

/** Whether this loop made it, and not somebody else. */
export function isOurs({ metadata }: Endpoints): boolean {
  return metadata.labels?.[managedByLabel] === manager
}

export interface Situation {
  readonly service: Service
  readonly pods: readonly Pod[]
  readonly current: Endpoints | undefined
  readonly triggerTime: string | undefined
}

/** The object as it is to be written, or undefined if it says all that already. */
export function wantedEndpoints({ service, pods, current, triggerTime }: Situation): Given<Endpoints> | undefined {
  const { subsets, isTruncated } = truncate(subsetsOf(service, pods))
  const labels = labelsFor(service)
  if (current && saysTheSame(current, { subsets, labels, isTruncated })) return undefined
  const { [overCapacityAnnotation]: _, ...annotations } = withTriggerTime(current?.metadata.annotations, triggerTime)
  const metadata = {
    ...(current?.metadata ?? { name: service.metadata.name!, namespace: service.metadata.namespace! }),
    labels,
    annotations: { ...annotations, ...(isTruncated && { [overCapacityAnnotation]: 'truncated' }) },
  }
  return { metadata, ...(subsets.length > 0 && { subsets }) }
}

function labelsFor(service: Service): Readonly<Record<string, string>> {
  const { [headlessLabel]: _, ...labels } = service.metadata.labels ?? {}
  return { ...labels, ...(isHeadless(service) && { [headlessLabel]: '' }), [managedByLabel]: manager }
}

interface Said extends Pick<Endpoints, 'subsets'> {
  readonly labels: Readonly<Record<string, string>>
  readonly isTruncated: boolean
}

function saysTheSame({ metadata, subsets }: Endpoints, said: Said): boolean {
  const isMarked = metadata.annotations?.[overCapacityAnnotation] === 'truncated'
  return (
    isMarked === said.isTruncated && isSame(subsets ?? [], said.subsets ?? []) && isSame(metadata.labels, said.labels)
  )
}
