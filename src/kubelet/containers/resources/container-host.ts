import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cgroupMode, mayLowerOomScore } from '../../../cri/containerd/host-capabilities.js'
import { hugePageSizes } from '../../cgroups/huge-pages.js'
import { thermalPaths } from '../security/proc-paths.js'

/** The properties of a host that container configurations depend on. */
export interface ContainerHost {
  readonly cgroups: 1 | 2
  /** Bytes. */
  readonly memory: number
  readonly swap: number
  /** Whether the kernel can limit swap. */
  readonly hasSwapController: boolean
  /** `2MB`, `1GB` */
  readonly hugePageSizes: readonly string[]
  /** Lowest `oom_score_adj` that this process may set, for lack of a capability. Undefined without such a bound. */
  readonly lowestOomScore: number | undefined
  readonly thermalPaths: readonly string[]
  readonly hasSelinux: boolean
}

export function readContainerHost(): ContainerHost {
  const memory = readFileSync('/proc/meminfo', 'utf8')
  const cgroups = cgroupMode() === 'v2' ? 2 : 1
  return {
    cgroups,
    memory: kilobytes(memory, 'MemTotal') * 1024,
    swap: kilobytes(memory, 'SwapTotal') * 1024,
    hasSwapController: existsSync(swapFile(cgroups)),
    hugePageSizes: hugePageSizes(),
    lowestOomScore: mayLowerOomScore() ? undefined : Number(readFileSync('/proc/self/oom_score_adj', 'utf8')),
    thermalPaths: thermalPaths(),
    hasSelinux: existsSync('/sys/fs/selinux/enforce'),
  }
}

function kilobytes(table: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s*(\\d+) kB$`, 'm').exec(table)?.[1] ?? 0)
}

/** In version 2 the root has no such file, so this checks the cgroup of this process. */
function swapFile(cgroups: 1 | 2): string {
  if (cgroups === 1) return '/sys/fs/cgroup/memory/memory.memsw.limit_in_bytes'
  const own = /^0::(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1] ?? '/'
  return join('/sys/fs/cgroup', own, 'memory.swap.max')
}
