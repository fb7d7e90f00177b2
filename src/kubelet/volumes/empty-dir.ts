import { chmodSync, lstatSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { containerTotals } from '../../api/core/v1/pod/resources.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { EmptyDirVolumeSource } from '../../api/core/v1/volume.js'
import { quote } from '../../schema/quote.js'
import { Quantity } from '../../schema/values/quantity.js'
import { type FilesystemMount, type Mounts, staysInMemory } from './mounts.js'
import { setGroupOwnership } from './ownership.js'

export interface EmptyDir {
  readonly pod: Pod
  readonly source: EmptyDirVolumeSource
  readonly folder: string
  /** A file that marks a completed setup. */
  readonly ready: string
  readonly mounts: Mounts
  /** Allocatable memory of the node, or undefined while it is unknown. */
  readonly allocatableMemory: string | undefined
}

/** Creates the folder on its medium, or keeps the present one with its contents. */
export async function setUpEmptyDir(dir: EmptyDir): Promise<void> {
  const mount = mountOf(dir)
  const { folder, ready, mounts, pod } = dir
  if (exists(ready) && exists(folder) && (!mount || mounts.isMounted(folder))) return
  createOpenFolder(folder)
  if (mount) await mounts.mount(mount)
  const { fsGroup } = pod.spec.securityContext ?? {}
  if (fsGroup !== undefined) setGroupOwnership(folder, fsGroup, false)
  mkdirSync(dirname(ready), { recursive: true, mode: 0o750 })
  writeFileSync(ready, '')
}

/** Returns undefined for a folder on disk. */
function mountOf(dir: EmptyDir): FilesystemMount | undefined {
  const { source, folder, pod } = dir
  const { medium = '' } = source
  if (medium === '') return undefined
  if (medium === 'Memory') {
    const size = memorySize(pod, source, dir.allocatableMemory)
    const options = [...(size === undefined ? [] : [`size=${size}`]), ...staysInMemory()]
    return { type: 'tmpfs', path: folder, options }
  }
  if (isHugePagesMedium(medium))
    return { type: 'hugetlbfs', path: folder, options: [`pagesize=${hugePageSize(medium, pod)}`] }
  throw new Error(`unknown storage medium ${quote(medium)}`)
}

/** All users may write to it. The parent folders are for root only. */
function createOpenFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o777 })
  if ((lstatSync(folder).mode & 0o777) !== 0o777) chmodSync(folder, 0o777)
}

/**
 * Returns the maximum size in bytes of a volume in memory: the minimum of its size limit, the pod's memory limit and the allocatable
 * memory. Undefined if none is known.
 */
export function memorySize(
  pod: Pod,
  { sizeLimit }: EmptyDirVolumeSource,
  allocatable: string | undefined,
): bigint | undefined {
  const bounds = [allocatable, podMemoryLimit(pod), sizeLimit].map((bound) => bound && Quantity.parse(bound))
  const positive = bounds.filter((bound) => bound instanceof Quantity && bound.sign() > 0) as Quantity[]
  return positive.sort((one, other) => one.compare(other))[0]?.scaledValue(0)
}

/** Returns undefined if a container has no limit. */
function podMemoryLimit({ spec }: Pod): string | undefined {
  const ofPod = spec.resources?.limits?.memory
  if (ofPod) return ofPod
  const containers = [...spec.containers, ...(spec.initContainers ?? [])]
  const isLimited = containers.every(({ resources }) => {
    const limit = resources?.limits?.memory
    return limit !== undefined && !Quantity.parse(limit).isZero()
  })
  return isLimited ? containerTotals(spec, 'limits').get('memory')?.toString() : undefined
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

const medium = 'HugePages'
const resource = 'hugepages-'

function isHugePagesMedium(name: string): boolean {
  return name === medium || name.startsWith(`${medium}-`)
}

/** Returns the page size of a huge pages volume: that of its medium, or the only one that the pod requests. */
export function hugePageSize(name: string, { spec }: Pod): string {
  const lists = [spec, ...spec.containers, ...(spec.initContainers ?? [])].map(({ resources }) => resources?.requests)
  const sizes = lists
    .flatMap((requests) => Object.keys(requests ?? {}))
    .filter((request) => request.startsWith(resource))
    .map((request) => Quantity.parse(request.slice(resource.length)))
  const [size] = name === medium ? onlyOne(sizes, name) : sizes.filter((size) => size.equals(sizeOfMedium(name)))
  if (!size)
    throw new Error(`medium ${name}: hugePages storage requested, but there is no resource request for huge pages`)
  return size.toString()
}

function onlyOne(sizes: readonly Quantity[], name: string): readonly Quantity[] {
  const [first] = sizes
  if (sizes.some((size) => !size.equals(first!)))
    throw new Error(`medium: ${name} can't be used if container requests multiple huge page sizes`)
  return sizes
}

function sizeOfMedium(name: string): Quantity {
  return Quantity.parse(name.slice(medium.length + 1))
}
