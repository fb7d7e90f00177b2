import type { Draft } from '../../../../schema/infer.js'
import { dropDisabledContainerFields } from '../container/defaults.js'
import type { PodSpec } from './spec.js'

/** Silently removes fields whose feature is off in v1.36, unless the old pod has them. */
export function dropDisabledPodFields(spec: Draft<PodSpec>, old?: PodSpec): void {
  if (spec.schedulingGroup && !old?.schedulingGroup) delete spec.schedulingGroup
  for (const list of ['containers', 'initContainers', 'ephemeralContainers'] as const)
    if (!old?.[list]?.some(({ lifecycle }) => lifecycle?.stopSignal !== undefined))
      for (const container of spec[list] ?? []) dropDisabledContainerFields(container)
}
