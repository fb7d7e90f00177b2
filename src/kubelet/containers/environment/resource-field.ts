import type { ResourceFieldSelector } from '../../../api/core/v1/container/env.js'
import type { Container } from '../../../api/core/v1/container.js'
import type { PodSpec } from '../../../api/core/v1/pod/spec.js'
import { isPodResource } from '../../../api/core/v1/resource-requirements/resource-names.js'
import { Quantity } from '../../../schema/values/quantity.js'

export type ResourceQuantities = Readonly<Record<string, string>>

/**
 * Returns a request or limit of a container for the downward API, in units of the divisor, rounded up. A missing limit is the pod's limit,
 * or else the node's allocatable amount. Throws in upstream's words.
 */
export function resourceField(
  { resource, divisor = '0' }: ResourceFieldSelector,
  container: Container,
  { spec, allocatable }: { readonly spec: PodSpec; readonly allocatable: ResourceQuantities },
): string {
  const [, which, name] = /^(limits|requests)\.(cpu|memory|ephemeral-storage|hugepages-.*)$/.exec(resource) ?? []
  if (name === undefined) throw new Error(`unsupported container resource : ${resource}`)
  const own = container.resources?.[which as 'limits' | 'requests']?.[name]
  const amount = which === 'limits' && isNothing(own) ? (limitByDefault(name, spec, allocatable) ?? own) : own
  return units(Quantity.parse(amount ?? '0'), Quantity.parse(divisor), name === 'cpu' ? -3 : 0)
}

const defaulted: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage'])

function limitByDefault(name: string, { resources }: PodSpec, allocatable: ResourceQuantities): string | undefined {
  if (!defaulted.has(name)) return undefined
  const ofPod = isPodResource(name) ? resources?.limits?.[name] : undefined
  return allocatable[name] !== undefined && !isNothing(ofPod) ? ofPod : allocatable[name]
}

function isNothing(amount: string | undefined): boolean {
  return amount === undefined || Quantity.parse(amount).isZero()
}

/** Counts CPU in millicores and everything else in whole units. */
function units(amount: Quantity, divisor: Quantity, scale: number): string {
  const unit = divisor.isZero() ? Quantity.of(1) : divisor
  const [whole, part] = [amount.scaledValue(scale), unit.scaledValue(scale)]
  return String((whole + part - 1n) / part)
}

/** Returns the container that a selector names, or `own` if it names none. */
export function selectedContainer(name: string | undefined, own: Container, spec: PodSpec): Container {
  if (!name) return own
  const found = [...spec.containers, ...(spec.initContainers ?? [])].find((each) => each.name === name)
  if (!found) throw new Error(`container ${name} not found`)
  return found
}
