import { isHugePages } from '../../api/core/v1/resource-requirements/resource-names.js'
import { Quantity } from '../../schema/values/quantity.js'
import type { HostFacts } from './node-host.js'
import { amountOf, type Thresholds } from './thresholds.js'

export type ResourceList = Readonly<Record<string, string>>

export interface NodeResources {
  readonly capacity: ResourceList
  /** What pods may have of it. */
  readonly allocatable: ResourceList
}

export interface ReservationOptions {
  /** 110 unless told. */
  readonly maxPods?: number | undefined
  /** No limit besides `maxPods` if 0. */
  readonly podsPerCore?: number | undefined
  readonly systemReserved?: ResourceList | undefined
  readonly kubeReserved?: ResourceList | undefined
}

/** `storage` are the bytes of the filesystem that pods write to. */
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

/** Without what the system, the kubelet and emergencies need. Whatever else a node is said to have, pods may have all of it. */
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
  // Pages that are set aside are no longer there for anything else.
  for (const [name, amount] of Object.entries(capacity))
    if (isHugePages(name)) reserve('memory', Quantity.parse(amount))
  return reserved
}

function binary(bytes: number): string {
  return Quantity.of(bytes, 'BinarySI').toString()
}
