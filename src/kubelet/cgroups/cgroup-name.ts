/** Who makes cgroups on this host, which decides how they are called: the kubelet and the runtime, or systemd. */
export type CgroupDriverName = 'cgroupfs' | 'systemd'

/** From the outermost inwards: `['kubepods', 'burstable', 'pod1234']`. */
export type CgroupName = readonly string[]

/** `--cgroup-root` as a name. */
export function parseCgroupName(path: string): CgroupName {
  return path.split('/').filter((part) => part !== '')
}

/** Below where cgroups are mounted; also what the runtime is told. */
export function cgroupPath(name: CgroupName, driver: CgroupDriverName): string {
  const parts = driver === 'systemd' ? slices(name) : name
  return `/${parts.join('/')}`
}

/** systemd calls each part by the whole way to it: `kubepods.slice/kubepods-burstable.slice`. A dash would be a step. */
function slices(name: CgroupName): readonly string[] {
  const escaped = name.map((part) => part.replaceAll('-', '_'))
  return escaped.map((_, i) => `${escaped.slice(0, i + 1).join('-')}.slice`)
}

/** The pod whose cgroup is called so among those of its class; undefined if it is no pod's. */
export function podUidOfCgroup(folder: string, driver: CgroupDriverName): string | undefined {
  if (driver === 'cgroupfs') return /^pod(.+)$/.exec(folder)?.[1]
  return /-pod([^-]+)\.slice$/.exec(folder)?.[1]?.replaceAll('_', '-')
}
