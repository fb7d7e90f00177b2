import type { ResourceFieldSelector } from '../../api/core/v1/container/env.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { DownwardAPIVolumeFile } from '../../api/core/v1/volume/projection.js'
import { aggregateMessages } from '../../schema/field-errors.js'
import { podField } from '../containers/environment/pod-field.js'
import { type ResourceQuantities, resourceField } from '../containers/environment/resource-field.js'
import type { Payload, VolumeFile } from './payload.js'

/** Allocatable resources of the node, the default for missing limits. */
export type Allocatable = ResourceQuantities

export interface DownwardApi {
  readonly pod: Pod
  readonly items: readonly DownwardAPIVolumeFile[]
  readonly defaultMode: number
  readonly allocatable: Allocatable
}

/** Returns the files of a downward API volume. */
export function downwardApiFiles({ pod, items, defaultMode, allocatable }: DownwardApi): Payload {
  const files = new Map<string, VolumeFile>()
  const failures: string[] = []
  for (const item of items) {
    try {
      const text = item.fieldRef
        ? metadataField(pod, item.fieldRef.fieldPath)
        : resourceOf(pod, item.resourceFieldRef!, allocatable)
      files.set(item.path, { text, encoding: 'utf8', mode: item.mode ?? defaultMode })
    } catch (error) {
      failures.push((error as Error).message)
    }
  }
  if (failures.length > 0) throw new Error(aggregateMessages(failures))
  return files
}

function resourceOf({ spec }: Pod, selector: ResourceFieldSelector, allocatable: Allocatable): string {
  const { containerName = '' } = selector
  const container = [...spec.containers, ...(spec.initContainers ?? [])].find(({ name }) => name === containerName)
  if (!container) throw new Error(`container ${containerName} not found`)
  return resourceField(selector, container, { spec, allocatable })
}

/** Volumes support only metadata. Addresses are available as environment variables. */
function metadataField(pod: Pod, path: string): string {
  if (!path.startsWith('metadata.')) throw new Error(`unsupported fieldPath: ${path}`)
  return podField(pod, path, { hostAddresses: [], podAddresses: [] })
}
