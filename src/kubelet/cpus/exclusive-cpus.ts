import type { Container } from '../../api/core/v1/container.js'
import { qosClassOf, saysSomething } from '../../api/core/v1/pod/qos.js'
import { isSidecar } from '../../api/core/v1/pod/resources.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { Quantity } from '../../schema/values/quantity.js'
import { CpuShortageError, chooseCpus } from './cpu-choice.js'
import { CpuSet } from './cpu-set.js'
import type { CpuTopology } from './cpu-topology.js'

/** How many cores a container is to have alone: whole ones, of a pod that is guaranteed all it has, container by container. */
export function exclusiveCount({ spec }: Pod, { resources }: Container): number {
  if (qosClassOf(spec) !== 'Guaranteed' || (spec.resources && saysSomething(spec.resources))) return 0
  const milli = Quantity.parse(resources?.requests?.cpu ?? resources?.limits?.cpu ?? '0').milliValue()
  return milli % 1000 === 0 ? milli / 1000 : 0
}

export interface CpuPool {
  readonly topology: CpuTopology
  /** Those that can be handed out now. */
  readonly free: CpuSet
  /** What the pod's containers have already. */
  readonly held: ReadonlyMap<string, CpuSet>
}

/**
 * The cores for each container of a pod, in the order in which they start. Init containers that end leave theirs to those after them;
 * nobody else shares any. Throws a `CpuShortage`.
 */
export function allocateExclusive(pod: Pod, { topology, free: all, held }: CpuPool): ReadonlyMap<string, CpuSet> {
  const shares = new Map<string, CpuSet>()
  let free = all
  let reusable = CpuSet.none
  for (const { container, isBrief } of inStartOrder(pod)) {
    const count = exclusiveCount(pod, container)
    if (count === 0) continue
    const share = held.get(container.name) ?? reusedFirst({ topology, free, reusable }, count)
    shares.set(container.name, share)
    free = free.without(share)
    reusable = isBrief ? reusable.union(share) : reusable.without(share)
  }
  return shares
}

interface CpuSources {
  readonly topology: CpuTopology
  readonly free: CpuSet
  readonly reusable: CpuSet
}

function reusedFirst({ topology, free, reusable }: CpuSources, count: number): CpuSet {
  if (count <= reusable.size) return chooseCpus(topology, reusable, count)
  const available = free.size + reusable.size
  if (count > available) throw new CpuShortageError(count, available)
  return reusable.union(chooseCpus(topology, free, count - reusable.size))
}

/** Those that end before the next one begins are brief. */
export function inStartOrder({ spec }: Pod): readonly { readonly container: Container; readonly isBrief: boolean }[] {
  return [
    ...(spec.initContainers ?? []).map((container) => ({ container, isBrief: !isSidecar(container) })),
    ...spec.containers.map((container) => ({ container, isBrief: false })),
  ]
}
