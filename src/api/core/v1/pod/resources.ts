import { Quantity } from '../../../../schema/values/quantity.js'
import type { Container } from '../container.js'
import type { PodSpec } from './spec.js'

type Amounts = Map<string, Quantity>

/** Whether an init container is a sidecar, which starts before the main containers and keeps running beside them. */
export function isSidecar({ restartPolicy }: Pick<Container, 'restartPolicy'>): boolean {
  return restartPolicy === 'Always'
}

/**
 * The resources that the containers of a pod need together. Main containers and sidecars run at the same time; an init container runs
 * beside the sidecars that were started before it.
 */
export function containerTotals(
  { containers, initContainers = [] }: PodSpec,
  which: 'requests' | 'limits',
): ReadonlyMap<string, Quantity> {
  const totals: Amounts = new Map()
  for (const { resources } of containers ?? []) add(totals, resources?.[which])
  const sidecars: Amounts = new Map()
  const peaks: Amounts[] = []
  for (const container of initContainers) {
    const peak = new Map(sidecars)
    add(peak, container.resources?.[which])
    peaks.push(peak)
    if (!isSidecar(container)) continue
    add(totals, container.resources?.[which])
    add(sidecars, container.resources?.[which])
  }
  for (const peak of peaks) raise(totals, peak)
  return totals
}

/**
 * The resources that a pod needs: pod-level resources replace those of the containers. The overhead is added; to limits only for resources
 * that have one.
 */
export function podTotals(spec: PodSpec, which: 'requests' | 'limits'): ReadonlyMap<string, Quantity> {
  const totals = new Map(containerTotals(spec, which))
  const own = spec.resources?.[which]
  for (const name in own) totals.set(name, Quantity.parse(own[name]!))
  for (const [name, amount] of Object.entries(spec.overhead ?? {})) {
    const isAdded = which === 'requests' || !(totals.get(name)?.isZero() ?? true)
    if (isAdded) add(totals, { [name]: amount })
  }
  return totals
}

function add(totals: Amounts, amounts: Readonly<Record<string, string>> | undefined): void {
  for (const name in amounts) {
    const amount = Quantity.parse(amounts[name]!)
    totals.set(name, totals.get(name)?.add(amount) ?? amount)
  }
}

function raise(totals: Amounts, peak: Amounts): void {
  for (const [name, amount] of peak) {
    const total = totals.get(name)
    if (!total || total.compare(amount) < 0) totals.set(name, amount)
  }
}
