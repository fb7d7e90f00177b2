import type { Taint } from '../api/core/v1/taint.js'
import { choice, duration, integer, list, optionalText, text, truth } from '../base/flags/flag-types.js'
import { type Flag, type FlagValues, UsageError } from '../base/flags/flags.js'
import { CpuSet } from '../kubelet/cgroups/cpu-set.js'
import type { NodeSettings } from '../kubelet/node-parts.js'
import { ValueError } from '../schema/value-error.js'
import { Quantity } from '../schema/values/quantity.js'

/** Upstream's names for what a kubelet can be told. */
export const kubeletFlags = {
  'hostname-override': optionalText('The name of the node; that of the machine, unless told.', 'NAME'),
  'node-ip': list('The addresses of the node, one of each family; found out, unless told.', 'ADDRESS,…'),
  'node-labels': pairs('Labels that the node registers with.', '='),
  'register-with-taints': taints('Taints that the node registers with: key=value:effect.'),
  'register-node': truth('Makes its Node, unless somebody else is to.', true),
  'max-pods': integer('How many pods the node takes.', 'COUNT', { standard: 110 }),
  'pod-manifest-path': optionalText('A folder with static pods.', 'DIRECTORY'),
  'cluster-dns': list('Whom pods ask for names.', 'ADDRESS,…'),
  'cluster-domain': text('What all names in the cluster end with.', 'DOMAIN', 'cluster.local'),
  'resolv-conf': text('How the node itself finds names.', 'FILE', '/etc/resolv.conf'),
  'cgroups-per-qos': truth('Classes of service and pods have cgroups of their own.', true),
  'cgroup-root': optionalText('Below which all of them are.', 'PATH'),
  'kube-reserved': pairs('What is kept back for Kubernetes: cpu=100m,memory=256Mi.', '='),
  'system-reserved': pairs('What is kept back for the system.', '='),
  'eviction-hard': pairs('Below which the node is under pressure: memory.available<100Mi.', '<'),
  'cpu-manager-policy': choice('Who runs on which cores: static gives whole ones away.', ['none', 'static'], 'none'),
  'cpu-manager-reconcile-period': duration('How often all are told again on which cores to run.', 10_000),
  'reserved-cpus': cpuSet('Cores for everything but pods, in place of a number of them: 0-1,4.'),
  'container-log-max-size': quantity('How long a log gets before it is moved away.', '10Mi'),
  'container-log-max-files': integer('How many files of it are kept.', 'COUNT', { standard: 5, least: 2 }),
  'allowed-unsafe-sysctls': list('Kernel parameters that pods may set though they concern others.', 'NAME,…'),
  'serialize-image-pulls': truth('Pulls one image after the other.', true),
  'max-parallel-image-pulls': integer('How many images are pulled at once, where that is allowed.', 'COUNT', {
    standard: 5,
    least: 1,
  }),
  'image-gc-high-threshold': percent('How full the disk may be before images go, in percent.', 85),
  'image-gc-low-threshold': percent('Down to where they go.', 80),
  'minimum-image-ttl-duration': duration('For how long an image that nobody uses stays at least.', 120_000),
  'sync-frequency': duration('How often each pod is looked at though nothing happened.', 20_000),
  'node-status-update-frequency': duration('How often the node looks whether there is anything to tell.', 10_000),
}

export type KubeletFlags = FlagValues<typeof kubeletFlags>

function percent(help: string, standard: number) {
  return integer(help, 'PERCENT', { standard, most: 100 })
}

function pairs(help: string, separator: '=' | '<'): Flag<Readonly<Record<string, string>>> {
  const read = (texts: readonly string[]) => {
    const items = texts.flatMap((given) => given.split(',')).filter((item) => item !== '')
    return Object.fromEntries(
      items.map((item) => {
        const at = item.indexOf(separator)
        if (at <= 0) throw new UsageError(`${item} must be NAME${separator}VALUE`)
        return [item.slice(0, at), item.slice(at + 1)]
      }),
    )
  }
  return { help, placeholder: `NAME${separator}VALUE,…`, defaultText: '', read }
}

function cpuSet(help: string): Flag<CpuSet | undefined> {
  const read = (texts: readonly string[]) => {
    const given = texts.at(-1)
    if (!given) return undefined
    try {
      return CpuSet.parse(given)
    } catch {
      throw new UsageError('it must be a list of cores, such as 0-1,4')
    }
  }
  return { help, placeholder: 'CORES', defaultText: '', read }
}

/** In bytes. */
function quantity(help: string, standard: string): Flag<number> {
  const read = (texts: readonly string[]) => {
    const bytes = bytesOf(texts.at(-1) ?? standard)
    if (bytes > 0) return bytes
    throw new UsageError('it must be an amount, such as 10Mi')
  }
  return { help, placeholder: 'AMOUNT', defaultText: standard, read }
}

/** 0 for what is no amount. */
function bytesOf(text: string): number {
  try {
    return Quantity.parse(text).value()
  } catch (error) {
    if (error instanceof ValueError) return 0
    throw error
  }
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const

function taints(help: string): Flag<readonly Taint[]> {
  const read = (texts: readonly string[]) =>
    texts
      .flatMap((given) => given.split(','))
      .filter((item) => item !== '')
      .map((item): Taint => {
        const [, key, value, effect] = /^([^=:]+)(?:=([^:]*))?:(.+)$/.exec(item) ?? []
        const known = effects.find((each) => each === effect)
        if (key === undefined || !known) throw new UsageError(`${item} must be KEY=VALUE:EFFECT`)
        return { key, ...(value !== undefined && { value }), effect: known }
      })
  return { help, placeholder: 'KEY=VALUE:EFFECT,…', defaultText: '', read }
}

/** The flags as a node takes them. */
export function nodeSettings(flags: KubeletFlags): NodeSettings {
  return {
    node: {
      labels: flags['node-labels'],
      taints: flags['register-with-taints'],
      isRegistered: flags['register-node'],
      maxPods: flags['max-pods'],
      ...reservations(flags),
      ...(Object.keys(flags['eviction-hard']).length > 0 && { evictionHard: flags['eviction-hard'] }),
      statusUpdate: flags['node-status-update-frequency'],
    },
    kubelet: { resyncPeriod: flags['sync-frequency'] },
    containers: { resolverFile: flags['resolv-conf'] },
    cpus: {
      policy: flags['cpu-manager-policy'],
      reserved: flags['reserved-cpus'],
      reconcilePeriod: flags['cpu-manager-reconcile-period'],
    },
    logs: { maxSize: flags['container-log-max-size'], maxFiles: flags['container-log-max-files'] },
    pulls: { atOnce: flags['serialize-image-pulls'] ? 1 : flags['max-parallel-image-pulls'] },
    images: {
      high: flags['image-gc-high-threshold'],
      low: flags['image-gc-low-threshold'],
      minAge: flags['minimum-image-ttl-duration'],
    },
    manifests: flags['pod-manifest-path'],
    unsafeSysctls: flags['allowed-unsafe-sysctls'],
  }
}

/** Cores that are named take the place of any number of them. */
function reservations(flags: KubeletFlags) {
  const { 'system-reserved': systemReserved, 'kube-reserved': kubeReserved, 'reserved-cpus': cpus } = flags
  if (!cpus) return { systemReserved, kubeReserved }
  const { cpu: _, ...rest } = kubeReserved
  return { systemReserved: { ...systemReserved, cpu: String(cpus.size) }, kubeReserved: rest }
}
