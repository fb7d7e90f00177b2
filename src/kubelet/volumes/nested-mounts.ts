import { mkdirSync } from 'node:fs'
import { join, normalize } from 'node:path'
import type { Pod } from '../../api/core/v1/pod.js'

/**
 * Returns the folders in a volume that other volumes are mounted on, relative to the volume. The runtime cannot create them in a read-only
 * volume.
 */
export function nestedMountPoints({ spec }: Pod, volume: string): readonly string[] {
  const nested = new Set<string>()
  for (const { volumeMounts = [] } of [...spec.containers, ...(spec.initContainers ?? [])]) {
    const points = volumeMounts.map(({ mountPath }) => cleanPath(mountPath)).sort()
    for (const { name, mountPath } of volumeMounts) {
      if (name !== volume) continue
      for (const point of outermost(points, cleanPath(mountPath))) nested.add(point)
    }
  }
  return [...nested]
}

function* outermost(points: readonly string[], outer: string): Iterable<string> {
  if (outer.startsWith('../')) throw new Error(`invalid container mount point ${outer}`)
  let last: string | undefined
  for (const point of points) {
    if (!point.startsWith(`${outer}/`)) continue
    if (last !== undefined && point.startsWith(`${last}/`)) continue
    last = point
    yield point.slice(outer.length + 1)
  }
}

function cleanPath(path: string): string {
  const clean = normalize(path)
  return clean.length > 1 && clean.endsWith('/') ? clean.slice(0, -1) : clean
}

export function createNestedMountPoints(pod: Pod, volume: string, folder: string): void {
  for (const point of nestedMountPoints(pod, volume)) {
    try {
      mkdirSync(join(folder, point), { recursive: true, mode: 0o755 })
    } catch (error) {
      throw new Error(`unable to create nested volume mountpoints: ${(error as Error).message}`, { cause: error })
    }
  }
}
