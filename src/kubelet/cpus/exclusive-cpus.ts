import type { Container } from '../../api/core/v1/container.js'
import { qosClassOf, saysSomething } from '../../api/core/v1/pod/qos.js'
import { isSidecar } from '../../api/core/v1/pod/resources.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { Quantity } from '../../schema/values/quantity.js'
import { CpuShortageError, chooseCpus } from './cpu-choice.js'
import { CpuSet } from './cpu-set.js'
import type { CpuTopology } from './cpu-topology.js'

/** Returns how many exclusive CPUs a container gets: its request if it is whole, the pod is Guaranteed and has no pod-level resources. */
export function exclusiveCount({ spec }: Pod, { resources }: Container): number {
  if (qosClassOf(spec) !== 'Guaranteed' || (spec.resources && saysSomething(spec.resources))) return 0
  const milli = Quantity.parse(resources?.requests?.cpu ?? resources?.limits?.cpu ?? '0').milliValue()
  return milli % 1000 === 0 ? milli / 1000 : 0
}

export interface CpuPool {
  readonly topology: CpuTopology
  /** CPUs that can be allocated now. */
  readonly free: CpuSet
  /** CPUs that the pod's containers already have. */
  readonly held: ReadonlyMap<string, CpuSet>
}

/** Allocates CPUs to each container in start order. CPUs of init containers are reused by later containers. Throws a `CpuShortageError`. */
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

/** Returns containers in start order. Init containers that are not sidecars are brief: they exit before the next one starts. */
export function inStartOrder({ spec }: Pod): readonly { readonly container: Container; readonly isBrief: boolean }[] {
  return [
    ...(spec.initContainers ?? []).map((container) => ({ container, isBrief: !isSidecar(container) })),
    ...spec.containers.map((container) => ({ container, isBrief: false })),
  ]
}
