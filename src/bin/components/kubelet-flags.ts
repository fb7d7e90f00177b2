import type { Taint } from '../../api/core/v1/taint.js'
import { boolean, choice, duration, integer, listFlag, optionalText, text } from '../../base/flags/flag-types.js'
import { type Flag, type FlagValues, UsageError } from '../../base/flags/flags.js'
import { CpuSet } from '../../kubelet/cpus/cpu-set.js'
import type { NodeSettings } from '../../kubelet/node-dependencies.js'
import { ValueError } from '../../schema/value-error.js'
import { Quantity } from '../../schema/values/quantity.js'

/** Upstream's flags of the kubelet that `proa up` has as well. */
export const kubeletFlags = {
  'hostname-override': optionalText('The name of the node. By default the host name of the machine.', {
    placeholder: 'NAME',
  }),
  'node-ip': listFlag('The IP addresses of the node, one for each IP family. By default they are detected.', {
    placeholder: 'ADDRESS,…',
  }),
  'node-labels': pairs('Labels of the node when it registers.', '='),
  'register-with-taints': taints('Taints of the node when it registers: key=value:effect.'),
  'register-node': boolean('Register the node with the API server.', { initial: true }),
  'max-pods': integer('The most pods that the node runs.', { placeholder: 'COUNT', initial: 110 }),
  'pod-manifest-path': optionalText('The directory with manifests of static pods.', { placeholder: 'DIRECTORY' }),
  'cluster-dns': listFlag('The IP addresses of the DNS servers of pods.', { placeholder: 'ADDRESS,…' }),
  'cluster-domain': text('The DNS domain of the cluster.', { placeholder: 'DOMAIN', initial: 'cluster.local' }),
  'resolv-conf': text('The DNS configuration of the node, which pods with dnsPolicy Default use.', {
    placeholder: 'FILE',
    initial: '/etc/resolv.conf',
  }),
  'cgroups-per-qos': boolean('Create a cgroup for each QoS class and each pod.', { initial: true }),
  'cgroup-root': optionalText('The parent cgroup of all pods.', { placeholder: 'PATH' }),
  'kube-reserved': pairs('Resources that are reserved for Kubernetes: cpu=100m,memory=256Mi.', '='),
  'system-reserved': pairs('Resources that are reserved for the operating system.', '='),
  'eviction-hard': pairs('Thresholds below which the node reports pressure: memory.available<100Mi.', '<'),
  'cpu-manager-policy': choice(
    'How CPUs are assigned to containers. static gives exclusive CPUs to containers of guaranteed pods.',
    ['none', 'static'],
    { initial: 'none' },
  ),
  'cpu-manager-reconcile-period': duration('How often the CPU assignment of containers is checked.', {
    initial: 10_000,
  }),
  'reserved-cpus': cpuSet('CPUs that are reserved for the operating system and Kubernetes: 0-1,4.'),
  'container-log-max-size': quantity('The size at which the log of a container is rotated.', '10Mi'),
  'container-log-max-files': integer('How many log files are kept for each container.', {
    placeholder: 'COUNT',
    initial: 5,
    least: 2,
  }),
  'allowed-unsafe-sysctls': listFlag('Unsafe sysctls that pods may set.', { placeholder: 'NAME,…' }),
  'serialize-image-pulls': boolean('Pull images one at a time.', { initial: true }),
  'max-parallel-image-pulls': integer(
    'The most images that are pulled at the same time, with --serialize-image-pulls=false.',
    { placeholder: 'COUNT', initial: 5, least: 1 },
  ),
  'image-gc-high-threshold': percent('The disk usage in percent at which unused images are deleted.', 85),
  'image-gc-low-threshold': percent('The disk usage in percent at which the deletion of images stops.', 80),
  'minimum-image-ttl-duration': duration('The shortest time that an unused image is kept.', { initial: 120_000 }),
  'sync-frequency': duration('How often each pod is synchronized when nothing has changed.', { initial: 20_000 }),
  'node-status-update-frequency': duration('How often the kubelet computes the status of the node.', {
    initial: 10_000,
  }),
}

export type KubeletFlags = FlagValues<typeof kubeletFlags>

function percent(help: string, standard: number) {
  return integer(help, { placeholder: 'PERCENT', initial: standard, most: 100 })
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

/** A flag that takes a quantity, in bytes. */
function quantity(help: string, standard: string): Flag<number> {
  const read = (texts: readonly string[]) => {
    const bytes = bytesOf(texts.at(-1) ?? standard)
    if (bytes > 0) return bytes
    throw new UsageError('it must be an amount, such as 10Mi')
  }
  return { help, placeholder: 'AMOUNT', defaultText: standard, read }
}

/** Returns 0 if `text` is not a quantity. */
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

/** Converts the flags to the settings of a node. */
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

/** `--reserved-cpus` names the reserved CPUs, so it replaces the number of CPUs in the other two flags. */
function reservations(flags: KubeletFlags) {
  const { 'system-reserved': systemReserved, 'kube-reserved': kubeReserved, 'reserved-cpus': cpus } = flags
  if (!cpus) return { systemReserved, kubeReserved }
  const { cpu: _, ...rest } = kubeReserved
  return { systemReserved: { ...systemReserved, cpu: String(cpus.size) }, kubeReserved: rest }
}
