/** Which program manages cgroups and names them: the kubelet with the runtime, or systemd. */
export type CgroupDriverName = 'cgroupfs' | 'systemd'

/** Path from the outermost cgroup inwards: `['kubepods', 'burstable', 'pod1234']`. */
export type CgroupName = readonly string[]

/** Parses `--cgroup-root`. */
export function parseCgroupName(path: string): CgroupName {
  return path.split('/').filter((part) => part !== '')
}

/** Returns the path below the cgroup mount point, which the runtime also gets. */
export function cgroupPath(name: CgroupName, driver: CgroupDriverName): string {
  const parts = driver === 'systemd' ? slices(name) : name
  return `/${parts.join('/')}`
}

/** systemd names each slice by its whole path: `kubepods.slice/kubepods-burstable.slice`. Dashes separate levels. */
function slices(name: CgroupName): readonly string[] {
  const escaped = name.map((part) => part.replaceAll('-', '_'))
  return escaped.map((_, i) => `${escaped.slice(0, i + 1).join('-')}.slice`)
}

/** Returns the pod uid of a cgroup folder, or undefined if it is not a pod's. */
export function podUidOfCgroup(folder: string, driver: CgroupDriverName): string | undefined {
  if (driver === 'cgroupfs') return /^pod(.+)$/.exec(folder)?.[1]
  return /-pod([^-]+)\.slice$/.exec(folder)?.[1]?.replaceAll('_', '-')
}
