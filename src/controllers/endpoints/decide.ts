import type { Endpoints } from '../../api/core/v1/endpoints.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { Service } from '../../api/core/v1/service.js'
import { isSame } from '../../api/validation/immutability.js'
import type { Given } from '../../client/resource-client.js'
import { headlessLabel } from '../services/endpoint-slices.js'
import { isHeadless } from '../services/service-pods.js'
import { withTriggerTime } from '../services/trigger-times.js'
import { subsetsOfPods } from './subsets.js'
import { truncate } from './truncation.js'

const managedByLabel = 'endpoints.kubernetes.io/managed-by'
const managerName = 'endpoint-controller'
const overCapacityAnnotation = 'endpoints.kubernetes.io/over-capacity'

/** Whether this controller created it. */
export function isManagedHere({ metadata }: Endpoints): boolean {
  return metadata.labels?.[managedByLabel] === managerName
}

export interface EndpointsObservation {
  /** Undefined if it is gone. */
  readonly service: Service | undefined
  readonly pods: readonly Pod[]
  readonly current: Endpoints | undefined
  readonly triggerTime: string | undefined
}

export type EndpointsDecision =
  | { readonly do: 'create' | 'update'; readonly endpoints: Given<Endpoints> }
  | { readonly do: 'delete'; readonly endpoints: Endpoints }

/** Undefined if the object is right. */
export function decide({ service, pods, current, triggerTime }: EndpointsObservation): EndpointsDecision | undefined {
  if (!service) return current && { do: 'delete', endpoints: current }
  const { subsets, isTruncated } = truncate(subsetsOfPods(service, pods))
  const labels = labelsFor(service)
  if (current && isUpToDate(current, { subsets, labels, isTruncated })) return undefined
  const { [overCapacityAnnotation]: _, ...annotations } = withTriggerTime(current?.metadata.annotations, triggerTime)
  const metadata = {
    ...(current?.metadata ?? { name: service.metadata.name!, namespace: service.metadata.namespace! }),
    labels,
    annotations: { ...annotations, ...(isTruncated && { [overCapacityAnnotation]: 'truncated' }) },
  }
  return { do: current ? 'update' : 'create', endpoints: { metadata, ...(subsets.length > 0 && { subsets }) } }
}

function labelsFor(service: Service): Readonly<Record<string, string>> {
  const { [headlessLabel]: _, ...labels } = service.metadata.labels ?? {}
  return { ...labels, ...(isHeadless(service) && { [headlessLabel]: '' }), [managedByLabel]: managerName }
}

interface WantedContent extends Pick<Endpoints, 'subsets'> {
  readonly labels: Readonly<Record<string, string>>
  readonly isTruncated: boolean
}

function isUpToDate({ metadata, subsets }: Endpoints, wanted: WantedContent): boolean {
  const isMarked = metadata.annotations?.[overCapacityAnnotation] === 'truncated'
  return (
    isMarked === wanted.isTruncated &&
    isSame(subsets ?? [], wanted.subsets ?? []) &&
    isSame(metadata.labels, wanted.labels)
  )
}
