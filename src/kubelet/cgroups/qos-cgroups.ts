import { qosClassOf } from '../../api/core/v1/pod/qos.js'
import type { PodQOSClass } from '../../api/core/v1/pod/status.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { type CgroupDriverName, type CgroupName, cgroupPath, podUidOfCgroup } from './cgroup-name.js'
import type { CgroupTree } from './cgroup-tree.js'
import { cpuShares, fewestShares, milliCpuOfShares } from './cpu-values.js'
import { podAmounts, resourceMilliCpu } from './pod-amounts.js'

/** Guaranteed pods are directly below `kubepods`. */
const folders: Readonly<Record<PodQOSClass, readonly string[]>> = {
  Guaranteed: [],
  Burstable: ['burstable'],
  BestEffort: ['besteffort'],
}
export const qosClasses = Object.keys(folders) as readonly PodQOSClass[]

export function qosCgroup(pods: CgroupName, qos: PodQOSClass): CgroupName {
  return [...pods, ...folders[qos]]
}

/**
 * Keeps the CPU shares of the burstable cgroup at the sum of all burstable requests. Pods that a restarted kubelet has not synced yet count
 * by the shares of their cgroups, so that a restart reduces no weight.
 */
export class BurstableShares {
  readonly #tree: CgroupTree
  readonly #name: CgroupName
  readonly #driver: CgroupDriverName
  readonly #milliCpu = new Map<string, number>()
  #written: number | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(tree: CgroupTree, pods: CgroupName, driver: CgroupDriverName) {
    this.#tree = tree
    this.#name = qosCgroup(pods, 'Burstable')
    this.#driver = driver
  }

  async restore(): Promise<void> {
    const path = cgroupPath(this.#name, this.#driver)
    for (const folder of await this.#tree.children(path)) {
      const uid = podUidOfCgroup(folder, this.#driver)
      const shares = uid === undefined ? undefined : await this.#tree.cpuShares(`${path}/${folder}`)
      if (shares !== undefined) this.#milliCpu.set(uid!, milliCpuOfShares(shares))
    }
    await this.#write()
  }

  async count(pod: Pod): Promise<void> {
    const uid = pod.metadata.uid ?? ''
    const isBurstable = qosClassOf(pod.spec) === 'Burstable'
    if (isBurstable) this.#milliCpu.set(uid, resourceMilliCpu(podAmounts(pod.spec, 'requests')))
    if (isBurstable) await this.#write()
  }

  async forget(uid: string): Promise<void> {
    if (this.#milliCpu.delete(uid)) await this.#write()
  }

  /** Writes are serialized. Each one writes the current sum. */
  #write(): Promise<void> {
    const write = this.#writing.then(async () => {
      const sum = [...this.#milliCpu.values()].reduce((total, one) => total + one, 0)
      const shares = sum === 0 ? fewestShares : cpuShares(sum)
      if (shares === this.#written) return
      await this.#tree.limit(cgroupPath(this.#name, this.#driver), { cpuShares: shares })
      this.#written = shares
    })
    // The caller gets the error; later writes try again.
    this.#writing = write.catch(() => undefined)
    return write
  }
}
