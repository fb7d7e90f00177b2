import { existsSync, readFileSync } from 'node:fs'

/** `v2` is one tree for all controllers; `v1` one for each; `hybrid` is v1 with a v2 beside it that controls nothing. */
export type CgroupMode = 'v1' | 'hybrid' | 'v2'

export function cgroupMode(root = '/sys/fs/cgroup'): CgroupMode {
  if (existsSync(`${root}/cgroup.controllers`)) return 'v2'
  return existsSync(`${root}/unified/cgroup.controllers`) ? 'hybrid' : 'v1'
}

/** Whoever has it may let a process be killed later than others when memory runs out. */
const sysResource = 24

/** Whether this process may lower a process's `oom_score_adj`, as Kubernetes wants it for important pods. */
export function mayLowerOomScore(status = readFileSync('/proc/self/status', 'utf8')): boolean {
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1]
  return effective !== undefined && ((BigInt(`0x${effective}`) >> BigInt(sysResource)) & 1n) === 1n
}
