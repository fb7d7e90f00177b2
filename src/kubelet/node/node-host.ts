import type { FilesystemSpace, MeasureFilesystem } from './filesystem-space.js'

/** The host of a kubelet: a real one (`linux-host.ts`) or a simulated one (`simulatedHost`). */
export interface NodeHost {
  facts(): Promise<HostFacts>
  load(): Promise<HostLoad>
  readonly measure: MeasureFilesystem
}

/** Constant properties of a host. Sizes are bytes. */
export interface HostFacts {
  readonly cpus: number
  readonly memory: number
  readonly swap: number
  /** Total bytes of huge pages, by page size. */
  readonly hugePages: ReadonlyMap<number, number>
  readonly machineId: string
  readonly systemUuid: string
  /** Changes with every boot. */
  readonly bootId: string
  readonly kernelVersion: string
  readonly osImage: string
  /** `linux` */
  readonly operatingSystem: string
  /** `amd64` */
  readonly architecture: string
}

export interface HostLoad {
  /** Bytes that can be used without reclaiming memory from processes. */
  readonly memoryAvailable: number
  readonly processes: { readonly most: number; readonly now: number }
}

export interface SimulatedHostOptions extends Partial<HostFacts> {
  readonly storage?: number
}

/** Returns a host with the given properties and plenty of free resources, for simulated nodes and tests. */
export function simulatedHost({ storage = 100 * 2 ** 30, ...options }: SimulatedHostOptions = {}): NodeHost {
  const facts: HostFacts = {
    cpus: 4,
    memory: 16 * 2 ** 30,
    swap: 0,
    hugePages: new Map(),
    machineId: '00000000000000000000000000000000',
    systemUuid: '00000000-0000-0000-0000-000000000000',
    bootId: '00000000-0000-0000-0000-000000000001',
    kernelVersion: 'simulated',
    osImage: 'Proa (simulated)',
    operatingSystem: 'linux',
    architecture: 'amd64',
    ...options,
  }
  const space: FilesystemSpace = { capacity: storage, available: storage, inodes: 1e6, inodesFree: 1e6 }
  return {
    facts: async () => facts,
    load: async () => ({ memoryAvailable: facts.memory, processes: { most: 32_768, now: 100 } }),
    measure: async () => space,
  }
}
