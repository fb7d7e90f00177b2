import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cgroupMode, mayLowerOomScore } from '../../../cri/containerd/machine.js'
import { hugePageSizes } from '../../cgroups/huge-pages.js'
import { thermalPaths } from '../security/proc-paths.js'

/** What this host has that containers are made by. */
export interface ContainerHost {
  readonly cgroups: 1 | 2
  /** Bytes. */
  readonly memory: number
  readonly swap: number
  /** Whether swap can be limited. */
  readonly hasSwapController: boolean
  /** `2MB`, `1GB` */
  readonly hugePageSizes: readonly string[]
  /** No process can be made less likely to be killed than this, for lack of a capability; undefined where there is no such bound. */
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

/** The root of version 2 has none: the cgroup of this process is asked instead. */
function swapFile(cgroups: 1 | 2): string {
  if (cgroups === 1) return '/sys/fs/cgroup/memory/memory.memsw.limit_in_bytes'
  const own = /^0::(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1] ?? '/'
  return join('/sys/fs/cgroup', own, 'memory.swap.max')
}
