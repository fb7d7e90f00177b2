import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CpuSet } from './cpu-set.js'

/** Where a logical CPU is. Each kind of number is unique on the host. */
export interface CpuLocation {
  readonly cpu: number
  /** The lowest CPU of the same core. */
  readonly core: number
  readonly socket: number
  /** The NUMA node of the nearest memory. */
  readonly numaNode: number
}

export type CpuTopology = readonly CpuLocation[]

/** Reads the topology of all online CPUs from the kernel. */
export function hostTopology(folder = '/sys/devices/system'): CpuTopology {
  const numaNodes = numaNodesIn(join(folder, 'node'))
  return CpuSet.parse(readFileSync(join(folder, 'cpu/online'), 'utf8')).cpus.map((cpu) => {
    const topologyFolder = join(folder, `cpu/cpu${cpu}/topology`)
    const siblings = CpuSet.parse(readFileSync(join(topologyFolder, 'thread_siblings_list'), 'utf8'))
    const socket = Number(readFileSync(join(topologyFolder, 'physical_package_id'), 'utf8'))
    return { cpu, core: siblings.cpus[0] ?? cpu, socket: Math.max(socket, 0), numaNode: numaNodes.get(cpu) ?? 0 }
  })
}

/** A host without NUMA nodes counts as one node. */
function numaNodesIn(folder: string): ReadonlyMap<number, number> {
  const nodes = new Map<number, number>()
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const [, node] = /^node(\d+)$/.exec(name) ?? []
    if (node === undefined) continue
    for (const cpu of CpuSet.parse(readFileSync(join(folder, name, 'cpulist'), 'utf8')).cpus)
      nodes.set(cpu, Number(node))
  }
  return nodes
}

export function allCpus(topology: CpuTopology): CpuSet {
  return CpuSet.of(topology.map(({ cpu }) => cpu))
}
