import type { FilesystemSpace, MeasureFilesystem } from './filesystem-space.js'

/** The host that a kubelet is on: this one (`this-machine.ts`), or one that is only told (`toldMachine`). */
export interface NodeHost {
  facts(): Promise<HostFacts>
  load(): Promise<HostLoad>
  readonly measure: MeasureFilesystem
}

/** What stays as it is while the host runs. Sizes are bytes. */
export interface HostFacts {
  readonly cpus: number
  readonly memory: number
  readonly swap: number
  /** All that is set aside in pages of one size, by that size. */
  readonly hugePages: ReadonlyMap<number, number>
  readonly machineId: string
  readonly systemUuid: string
  /** Another one after each start of the host. */
  readonly bootId: string
  readonly kernelVersion: string
  readonly osImage: string
  /** `linux` */
  readonly operatingSystem: string
  /** `amd64` */
  readonly architecture: string
}

export interface HostLoad {
  /** Bytes that could still be used without anybody losing any. */
  readonly memoryAvailable: number
  readonly processes: { readonly most: number; readonly now: number }
}

export interface SimulatedHostOptions extends Partial<HostFacts> {
  readonly storage?: number
}

/** A host of which all is told, with plenty of everything left: for simulated nodes and tests. */
export function simulatedHost({ storage = 100 * 2 ** 30, ...told }: SimulatedHostOptions = {}): NodeHost {
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
    ...told,
  }
  const space: FilesystemSpace = { capacity: storage, available: storage, inodes: 1e6, inodesFree: 1e6 }
  return {
    facts: async () => facts,
    load: async () => ({ memoryAvailable: facts.memory, processes: { most: 32_768, now: 100 } }),
    measure: async () => space,
  }
}
