import { quote } from '../../schema/quote.js'
import type { CpuState } from './cpu-checkpoint.js'
import type { CpuSet } from './cpu-set.js'

export interface CpuExpectations {
  readonly policy: string
  readonly all: CpuSet
  readonly reserved: CpuSet
  readonly file: string
}

/** Throws in upstream's words if what was written down is not about this machine, or about this way to hand out its cores. */
export function verifyState(state: CpuState, { policy, all, reserved, file }: CpuExpectations): void {
  verifyPolicy(state, policy, file)
  const problem = conflict(state, { all, reserved })
  if (problem !== undefined) throw unusable(problem, file)
}

/** The same for the policy alone. */
export function verifyPolicy(state: CpuState, policy: string, file: string): void {
  if (state.policy === policy) return
  throw unusable(`configured policy ${quote(policy)} differs from state checkpoint policy ${quote(state.policy)}`, file)
}

function unusable(problem: string, file: string): Error {
  return new Error(
    `could not restore state from checkpoint: ${problem}, please drain this node and delete the CPU manager checkpoint file ${quote(file)} before restarting Kubelet`,
  )
}

function conflict(
  { shared, exclusive }: CpuState,
  { all, reserved }: Pick<CpuExpectations, 'all' | 'reserved'>,
): string | undefined {
  if (reserved.without(shared).size > 0)
    return `not all reserved cpus: "${reserved}" are present in defaultCpuSet: "${shared}"`
  for (const [uid, containers] of exclusive)
    for (const [name, cpus] of containers)
      if (cpus.intersection(shared).size > 0)
        return `pod: ${uid}, container: ${name} cpuset: "${cpus}" overlaps with default cpuset "${shared}"`
  const known = shared.union(...[...exclusive.values()].flatMap((containers) => [...containers.values()]))
  return known.equals(all)
    ? undefined
    : `current set of available CPUs "${all}" doesn't match with CPUs in state "${known}"`
}
