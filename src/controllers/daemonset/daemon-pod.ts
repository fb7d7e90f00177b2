import type { DaemonSet } from '../../api/apps/v1/daemon-set.js'
import type { Affinity } from '../../api/core/v1/affinity.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { Given } from '../../client/resource-client.js'
import { podFromTemplate } from '../pods/template.js'
import { daemonTolerations } from './placement.js'

/** The hash of the revision that a pod or a revision has. */
export const revisionHashLabel = 'controller-revision-hash'
const generationLabel = 'pod-template-generation'
const generationAnnotation = 'deprecated.daemonset.template.generation'

/** The pod for one node. Its node affinity leaves the scheduler no other node. */
export function daemonPod(set: DaemonSet, hash: string, nodeName: string): Given<Pod> {
  const { metadata, spec } = podFromTemplate(set.spec.template, set)
  const generation = set.metadata.annotations?.[generationAnnotation]
  const labels = {
    ...metadata.labels,
    [revisionHashLabel]: hash,
    ...(generation !== undefined && { [generationLabel]: generation }),
  }
  return {
    metadata: { ...metadata, labels },
    spec: { ...spec!, tolerations: daemonTolerations(spec!), affinity: requiringNode(nodeName, spec!.affinity) },
  }
}

function requiringNode(nodeName: string, affinity: Affinity = {}): Affinity {
  const matchFields = [{ key: 'metadata.name', operator: 'In' as const, values: [nodeName] }]
  const requiredDuringSchedulingIgnoredDuringExecution = { nodeSelectorTerms: [{ matchFields }] }
  return {
    ...affinity,
    nodeAffinity: { ...affinity.nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution },
  }
}

/** The node that it is bound to, or that its affinity requires; undefined if neither is known. */
export function nodeNameOf({ spec }: Pod): string | undefined {
  if (spec.nodeName) return spec.nodeName
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? []
  const fields = terms.flatMap(({ matchFields = [] }) => matchFields)
  const byName = fields.find(({ key, operator }) => key === 'metadata.name' && operator === 'In')
  return byName?.values?.length === 1 ? byName.values[0] : undefined
}

export function isOfRevision({ metadata }: Pod, hash: string): boolean {
  return metadata.labels?.[revisionHashLabel] === hash
}
