import { podTotals } from '../../api/core/v1/pod/resources.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { isExtendedResource } from '../../api/core/v1/resource-requirements/resource-names.js'
import { compareText } from '../../schema/text-order.js'
import { Quantity } from '../../schema/values/quantity.js'
import type { PodFailure } from '../status/pod-status-input.js'
import { type PodAdmission, podRejection } from './pod-admission.js'

interface Shortage {
  readonly name: string
  readonly requested: number
  readonly used: number
  readonly capacity: number
}

/** Rejects the pod for the first resource that is short: pods first, then the standard resources, then others by name. */
export function resourceRejection({ pod, others, context }: PodAdmission): PodFailure | undefined {
  const allocatable = context.node.status?.allocatable ?? {}
  const pods = { name: 'pods', requested: 1, used: others.length, capacity: amountOf('pods', allocatable.pods) }
  if (isShort(pods)) return outOf(pods)
  const used = usedBy(others)
  const shortages = requestsOf(pod)
    .filter(([name, requested]) => requested > 0 && isCounted(name, allocatable))
    .map(([name, requested]) => {
      return { name, requested, used: used.get(name) ?? 0, capacity: amountOf(name, allocatable[name]) }
    })
    .filter(isShort)
  return shortages[0] && outOf(shortages[0])
}

function isShort({ requested, used, capacity }: Shortage): boolean {
  return requested > capacity - used
}

function outOf({ name, requested, used, capacity }: Shortage): PodFailure {
  return podRejection(
    `OutOf${name}`,
    `Node didn't have enough resource: ${name}, requested: ${requested}, used: ${used}, capacity: ${capacity}`,
  )
}

/** Extended resources that the node does not have are not counted here. */
function isCounted(name: string, allocatable: Readonly<Record<string, string>>): boolean {
  return allocatable[name] !== undefined || !isExtendedResource(name)
}

const usual = ['cpu', 'memory', 'ephemeral-storage']

function requestsOf({ spec }: Pod): readonly (readonly [name: string, amount: number])[] {
  return [...podTotals(spec, 'requests')]
    .map(([name, amount]) => [name, measured(name, amount)] as const)
    .sort(([left], [right]) => rank(left) - rank(right) || compareText(left, right))
}

function rank(name: string): number {
  const position = usual.indexOf(name)
  return position < 0 ? usual.length : position
}

function usedBy(pods: readonly Pod[]): ReadonlyMap<string, number> {
  const used = new Map<string, number>()
  for (const pod of pods) for (const [name, amount] of requestsOf(pod)) used.set(name, (used.get(name) ?? 0) + amount)
  return used
}

function amountOf(name: string, text: string | undefined): number {
  return text === undefined ? 0 : measured(name, Quantity.parse(text))
}

/** Returns millicores for CPU, otherwise whole units. */
function measured(name: string, amount: Quantity): number {
  return name === 'cpu' ? amount.milliValue() : amount.value()
}
