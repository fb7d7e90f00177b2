import type { Draft } from '../../../../schema/infer.js'
import type { Container } from '../container.js'
import type { Pod } from '../pod.js'
import { dropDisabledPodFields } from './disabled-fields.js'
import type { PodStatus } from './status.js'

/** Restores from the old pod the fields that a write through a subresource may not change. */

/** Nodes may write labels, annotations and finalizers together with the status, but not owner references. */
export function prepareStatus(draft: Draft<Pod>, old: Pod): void {
  draft.spec = old.spec as Draft<Pod['spec']>
  draft.metadata = withFields(draft.metadata, old.metadata as Draft<Pod['metadata']>, ['ownerReferences'])
  draft.status = keptObservations(draft.status, old.status)
}

/** Keeps observed generations and the QoS class if the new status omits them. */
function keptObservations(status: Draft<PodStatus>, old: PodStatus): Draft<PodStatus> {
  const result = { ...status }
  if (!result.qosClass && old.qosClass) result.qosClass = old.qosClass
  if (!result.observedGeneration && old.observedGeneration) result.observedGeneration = old.observedGeneration
  const known = [...(old.conditions ?? [])]
  if (result.conditions)
    result.conditions = result.conditions.map((condition) => {
      const position = known.findIndex(({ type }) => type === condition.type)
      const [before] = position < 0 ? [] : known.splice(position, 1)
      return condition.observedGeneration || !before?.observedGeneration
        ? condition
        : { ...condition, observedGeneration: before.observedGeneration }
    })
  return result
}

export function prepareDebugging(draft: Draft<Pod>, old: Pod): void {
  const { ephemeralContainers } = draft.spec
  draft.spec = { ...(old.spec as Draft<Pod['spec']>) }
  if (ephemeralContainers) draft.spec.ephemeralContainers = ephemeralContainers
  else delete draft.spec.ephemeralContainers
  keepTheRest(draft, old)
  dropDisabledPodFields(draft.spec, old.spec)
}

/** Other changes of containers are kept, so that validation rejects them. */
export function prepareResize(draft: Draft<Pod>, old: Pod): void {
  const { containers, initContainers } = draft.spec
  const isSameCount =
    containers?.length === old.spec.containers?.length && initContainers?.length === old.spec.initContainers?.length
  if (!isSameCount) return
  draft.spec = { ...(old.spec as Draft<Pod['spec']>), containers: withSizes(old.spec.containers ?? [], containers) }
  if (initContainers) draft.spec.initContainers = withSizes(old.spec.initContainers!, initContainers)
  keepTheRest(draft, old)
}

function withSizes(old: readonly Container[], containers: Draft<Container>[]): Draft<Container>[] {
  if (containers?.some(({ name }, i) => name !== old[i]!.name)) return containers
  return old.map((container, i) =>
    withFields(container as Draft<Container>, containers[i]!, ['resources', 'resizePolicy']),
  )
}

function keepTheRest(draft: Draft<Pod>, old: Pod): void {
  draft.status = old.status as Draft<PodStatus>
  draft.metadata = withFields(draft.metadata, old.metadata as Draft<Pod['metadata']>, [
    'labels',
    'annotations',
    'finalizers',
    'ownerReferences',
  ])
}

/** A copy of `object` with some fields of `other`, absent ones included. */
function withFields<T extends object>(object: T, other: T, names: readonly (keyof T)[]): T {
  const result = { ...object }
  for (const name of names) {
    if (other[name] === undefined) delete result[name]
    else result[name] = other[name]
  }
  return result
}
