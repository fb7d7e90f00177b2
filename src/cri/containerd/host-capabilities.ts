import { existsSync, readFileSync } from 'node:fs'

/** `v2`: one tree for all controllers. `v1`: one tree per controller. `hybrid`: v1, plus a v2 tree without controllers. */
export type CgroupMode = 'v1' | 'hybrid' | 'v2'

export function cgroupMode(root = '/sys/fs/cgroup'): CgroupMode {
  if (existsSync(`${root}/cgroup.controllers`)) return 'v2'
  return existsSync(`${root}/unified/cgroup.controllers`) ? 'hybrid' : 'v1'
}

/** CAP_SYS_RESOURCE: permits to lower the OOM score of a process. */
const sysResource = 24

/** Whether this process may lower a process's `oom_score_adj`, as Kubernetes does for critical pods. */
export function mayLowerOomScore(status = readFileSync('/proc/self/status', 'utf8')): boolean {
  const effective = /^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1]
  return effective !== undefined && ((BigInt(`0x${effective}`) >> BigInt(sysResource)) & 1n) === 1n
}
