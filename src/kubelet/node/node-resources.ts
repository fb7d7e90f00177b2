import { isHugePages } from '../../api/core/v1/resource-requirements/resource-names.js'
import { Quantity } from '../../schema/values/quantity.js'
import type { HostFacts } from './node-host.js'
import { amountOf, type Thresholds } from './thresholds.js'

export type ResourceList = Readonly<Record<string, string>>

export interface NodeResources {
  readonly capacity: ResourceList
  /** Resources for pods. */
  readonly allocatable: ResourceList
}

export interface ReservationOptions {
  /** Defaults to 110. */
  readonly maxPods?: number | undefined
  /** 0 for no limit besides `maxPods`. */
  readonly podsPerCore?: number | undefined
  readonly systemReserved?: ResourceList | undefined
  readonly kubeReserved?: ResourceList | undefined
}

/** `storage` is the size in bytes of the filesystem of pods. */
export function capacityOf(facts: HostFacts, storage: number, options: ReservationOptions): ResourceList {
  const { maxPods = 110, podsPerCore = 0 } = options
  const pods = podsPerCore > 0 ? Math.min(maxPods, podsPerCore * facts.cpus) : maxPods
  const pages = [...facts.hugePages].map(([size, bytes]) => [`hugepages-${binary(size)}`, binary(bytes)])
  return {
    cpu: String(facts.cpus),
    'ephemeral-storage': binary(storage),
    ...Object.fromEntries(pages),
    memory: binary(facts.memory),
    pods: String(pods),
  }
}

/** Subtracts reservations and eviction thresholds from the capacity. Extended resources are fully allocatable. */
export function allocatableOf(
  capacity: ResourceList,
  options: ReservationOptions,
  thresholds: Thresholds,
): ResourceList {
  const reserved = reservedOf(capacity, options, thresholds)
  const left = Object.entries(capacity).map(([name, amount]): [string, Quantity] => [
    name,
    (reserved.get(name) ?? []).reduce((rest, each) => rest.subtract(each), Quantity.parse(amount)),
  ])
  const texts = left.map(([name, amount]) => [name, (amount.sign() < 0 ? Quantity.zero : amount).toString()])
  return Object.fromEntries(texts)
}

function reservedOf(
  capacity: ResourceList,
  { systemReserved = {}, kubeReserved = {} }: ReservationOptions,
  thresholds: Thresholds,
): ReadonlyMap<string, readonly Quantity[]> {
  const reserved = new Map<string, Quantity[]>()
  const reserve = (name: string, amount: Quantity) => reserved.set(name, [...(reserved.get(name) ?? []), amount])
  for (const [name, amount] of [...Object.entries(systemReserved), ...Object.entries(kubeReserved)])
    reserve(name, Quantity.parse(amount))
  for (const [signal, name] of [
    ['memory.available', 'memory'],
    ['nodefs.available', 'ephemeral-storage'],
  ] as const) {
    const threshold = thresholds.get(signal)
    const whole = capacity[name]
    if (threshold && whole !== undefined)
      reserve(name, Quantity.of(amountOf(threshold, Quantity.parse(whole).value()), 'BinarySI'))
  }
  // Memory in huge pages is not available as normal memory.
  for (const [name, amount] of Object.entries(capacity))
    if (isHugePages(name)) reserve('memory', Quantity.parse(amount))
  return reserved
}

function binary(bytes: number): string {
  return Quantity.of(bytes, 'BinarySI').toString()
}
