import { qosClassOf } from '../../api/core/v1/pod/qos.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { Clock } from '../../base/clock.js'
import { allocatableLimits, type CgroupLimits, type LimitSettings, podLimits } from './cgroup-limits.js'
import { type CgroupDriverName, type CgroupName, cgroupPath, parseCgroupName, podUidOfCgroup } from './cgroup-name.js'
import { CgroupTree } from './cgroup-tree.js'
import { fewestShares, usualPeriod } from './cpu-values.js'
import { type Hierarchy, mountedHierarchies } from './hierarchies.js'
import { hugePageSizes } from './huge-pages.js'
import type { PodCgroups } from './pod-cgroups.js'
import { BurstableShares, qosCgroup, qosClasses } from './qos-cgroups.js'

export interface PodCgroupDependencies {
  readonly environment: { readonly clock: Clock }
  /** `--cgroups-per-qos`. If false, pods have only the cgroups that the runtime creates. */
  readonly perQos?: boolean
  /** `--cgroup-root`: the parent of all pod cgroups. */
  readonly root?: string
  /** `--cgroup-driver` */
  readonly driver?: CgroupDriverName
  /** Defaults to the mounted ones. */
  readonly hierarchies?: readonly Hierarchy[]
  /** Limit of all pods together (`--enforce-node-allocatable=pods`). Undefined for no limit. */
  readonly enforced?: Readonly<Record<string, string>> | undefined
  readonly limits?: Partial<LimitSettings>
  readonly hasExclusiveCpus?: ((pod: Pod) => boolean) | undefined
}

/** The largest huge page limit that the kernel accepts. */
const unbounded = 2 ** 62

export function podCgroups(dependencies: PodCgroupDependencies): PodCgroups {
  return dependencies.perQos === false ? noCgroups : new KubeletCgroups(dependencies)
}

/** Leaves all cgroups to the runtime. */
const noCgroups: PodCgroups = {
  ensure: async () => '',
  remove: async () => {},
  known: async () => [],
}

class KubeletCgroups implements PodCgroups {
  readonly #tree: CgroupTree
  readonly #driver: CgroupDriverName
  /** `kubepods`, the parent of all pod cgroups. */
  readonly #pods: CgroupName
  readonly #shares: BurstableShares
  readonly #limits: LimitSettings
  readonly #dependencies: PodCgroupDependencies
  /** The limits that this kubelet has set, by pod. They are not set again while they stay the same. */
  readonly #set = new Map<string, { readonly path: string; readonly wanted: string }>()
  #prepared: Promise<void> | undefined

  constructor(dependencies: PodCgroupDependencies) {
    this.#dependencies = dependencies
    this.#driver = dependencies.driver ?? 'cgroupfs'
    this.#tree = new CgroupTree(dependencies.hierarchies ?? mountedHierarchies(), dependencies.environment.clock)
    this.#pods = [...parseCgroupName(dependencies.root ?? '/'), 'kubepods']
    this.#shares = new BurstableShares(this.#tree, this.#pods, this.#driver)
    this.#limits = {
      cpuQuota: true,
      cpuPeriod: usualPeriod,
      processes: undefined,
      hugePageSizes: dependencies.limits?.hugePageSizes ?? hugePageSizes(),
      ...dependencies.limits,
    }
  }

  async ensure(pod: Pod): Promise<string> {
    await this.#prepare()
    const uid = pod.metadata.uid ?? ''
    const path = this.#path([...qosCgroup(this.#pods, qosClassOf(pod.spec)), `pod${uid}`])
    const limits = podLimits(pod, this.#limits, this.#dependencies.hasExclusiveCpus?.(pod) ?? false)
    const wanted = JSON.stringify({ ...limits, hugePages: [...(limits.hugePages ?? [])] })
    if (this.#set.get(uid)?.wanted === wanted && (await this.#tree.exists(path))) return path
    await this.#tree.createLeaf(path)
    await this.#tree.limit(path, limits)
    this.#set.set(uid, { path, wanted })
    await this.#shares.count(pod)
    return path
  }

  async remove(podUid: string): Promise<void> {
    const known = this.#set.get(podUid)
    const paths = known
      ? [known.path]
      : qosClasses.map((qos) => this.#path([...qosCgroup(this.#pods, qos), `pod${podUid}`]))
    for (const path of paths) await this.#tree.remove(path)
    this.#set.delete(podUid)
    await this.#shares.forget(podUid)
  }

  async known(): Promise<readonly string[]> {
    const paths = qosClasses.map((qos) => this.#path(qosCgroup(this.#pods, qos)))
    const folders = (await Promise.all(paths.map((path) => this.#tree.children(path)))).flat()
    return [...new Set(folders.flatMap((folder) => podUidOfCgroup(folder, this.#driver) ?? []))]
  }

  #path(name: CgroupName): string {
    return cgroupPath(name, this.#driver)
  }

  /** Creates the QoS cgroups once. Tries again after a failure. */
  #prepare(): Promise<void> {
    this.#prepared ??= this.#makeClasses().catch((error: unknown) => {
      this.#prepared = undefined
      throw error
    })
    return this.#prepared
  }

  async #makeClasses(): Promise<void> {
    const { enforced } = this.#dependencies
    const hugePages = new Map(this.#limits.hugePageSizes.map((size) => [size, unbounded]))
    const classes: readonly (readonly [CgroupName, CgroupLimits])[] = [
      [this.#pods, enforced ? allocatableLimits(enforced, this.#limits.hugePageSizes) : { hugePages }],
      [qosCgroup(this.#pods, 'BestEffort'), { cpuShares: fewestShares, hugePages }],
      [qosCgroup(this.#pods, 'Burstable'), { hugePages }],
    ]
    for (const [name, limits] of classes) {
      await this.#tree.create(this.#path(name))
      await this.#tree.limit(this.#path(name), limits)
    }
    await this.#shares.restore()
  }
}
