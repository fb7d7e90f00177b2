import { containerTotals } from '../../api/core/v1/pod/resources.js'
import type { PodSpec } from '../../api/core/v1/pod/spec.js'
import { isPodResource } from '../../api/core/v1/resource-requirements/resource-names.js'
import { Quantity } from '../../schema/values/quantity.js'

export type PodAmounts = ReadonlyMap<string, Quantity>

/**
 * Returns the total requests or limits of a pod. Pod-level values replace those of the containers. Overhead is added, to limits only if
 * there is one.
 */
export function podAmounts(spec: PodSpec, which: 'requests' | 'limits', { withOverhead = true } = {}): PodAmounts {
  const amounts = new Map(containerTotals(spec, which))
  const whole = spec.resources?.[which] ?? {}
  for (const name in whole) if (isPodResource(name)) amounts.set(name, Quantity.parse(whole[name]!))
  if (!withOverhead) return amounts
  for (const name in spec.overhead) addOverhead(amounts, name, { cost: Quantity.parse(spec.overhead[name]!), which })
  return amounts
}

function addOverhead(
  amounts: Map<string, Quantity>,
  name: string,
  { cost, which }: { readonly cost: Quantity; readonly which: 'requests' | 'limits' },
): void {
  const amount = amounts.get(name)
  if (which === 'limits' && (!amount || amount.isZero())) return
  amounts.set(name, amount?.add(cost) ?? cost)
}

export function resourceMilliCpu(amounts: PodAmounts): number {
  return amounts.get('cpu')?.milliValue() ?? 0
}

export function resourceBytes(amounts: PodAmounts, name: string): number {
  return amounts.get(name)?.value() ?? 0
}
