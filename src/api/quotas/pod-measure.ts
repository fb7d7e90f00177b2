import type { Quantity } from '../../schema/quantity.js'
import type { Pod } from '../core/v1/pod.js'
import { containerTotals } from '../core/v1/pod-resources.js'
import type { PodSpec } from '../core/v1/pod-spec.js'
import { isExtendedResource, isHugePages } from '../core/v1/resource-names.js'
import type { KubeObject } from '../kube-object.js'
import { type Amounts, one, readAmounts, sum } from './amounts.js'
import type { Measure } from './measure.js'
import { podInScope } from './scopes.js'

const measured = ['cpu', 'memory', 'ephemeral-storage'] as const

const names: ReadonlySet<string> = new Set([
  'count/pods',
  'pods',
  ...measured.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
])

/** Of these every container must say how much it needs, if a quota limits them. */
const mandatory: ReadonlySet<string> = new Set(
  ['cpu', 'memory'].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
)

export const podMeasure: Measure = {
  counts: ({ operation, subresource }) =>
    subresource === '' ? operation === 'CREATE' : subresource === 'resize' && operation === 'UPDATE',
  concerns: (resource) => names.has(resource) || isHugePagesOf(resource) || isExtendedRequest(resource),
  usage: (object: KubeObject, now) => usageOf(object as unknown as Pod, now),
  missing: (object, limited) => missingText((object as unknown as Pod).spec, limited),
  inScope: (object, scope) => podInScope(object as unknown as Pod, scope),
}

function isHugePagesOf(resource: string): boolean {
  return isHugePages(resource.replace(/^requests\./, ''))
}

function isExtendedRequest(resource: string): boolean {
  return resource.startsWith('requests.') && isExtendedResource(resource.slice('requests.'.length))
}

/** A pod that has ended counts as an object, but uses nothing. */
function usageOf(pod: Pod, now: number): Amounts {
  const counted = one('count/pods')
  if (hasEnded(pod, now)) return counted
  const { spec } = pod
  const overhead = readAmounts(spec.overhead)
  const limits = sum(totals(spec, 'limits'), new Map())
  const limited = new Map([...overhead].filter(([name]) => limits.has(name)))
  return sum(sum(counted, one('pods')), computeUsage(sum(totals(spec, 'requests'), overhead), sum(limits, limited)))
}

/** What a pod says about itself as a whole stands for its containers. */
function totals(spec: PodSpec, which: 'requests' | 'limits'): Amounts {
  return new Map([...containerTotals(spec, which), ...readAmounts(spec.resources?.[which])])
}

function hasEnded({ metadata, status }: Pod, now: number): boolean {
  if (status?.phase === 'Failed' || status?.phase === 'Succeeded') return true
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return false
  return now > Date.parse(deletionTimestamp) + deletionGracePeriodSeconds * 1000
}

function computeUsage(requests: Amounts, limits: Amounts): Amounts {
  const usage = new Map<string, Quantity>()
  for (const [name, amount] of requests) {
    const isMeasured = (measured as readonly string[]).includes(name)
    if (isMeasured || isHugePages(name)) usage.set(name, amount)
    if (isMeasured || isHugePages(name) || isExtendedResource(name)) usage.set(`requests.${name}`, amount)
  }
  for (const name of measured) if (limits.has(name)) usage.set(`limits.${name}`, limits.get(name)!)
  return usage
}

/** `must specify limits.cpu for: a,b; requests.memory for: a`. */
function missingText(spec: PodSpec, limited: readonly string[]): string {
  const ofPod = sizesOf(spec.resources)
  const required = limited.filter((name) => mandatory.has(name) && !ofPod.has(name)).sort()
  const parts = required.flatMap((name) => {
    const silent = [...spec.containers, ...(spec.initContainers ?? [])].filter(
      ({ resources }) => !sizesOf(resources).has(name),
    )
    return silent.length === 0
      ? []
      : [`${name} for: ${[...new Set(silent.map((container) => container.name))].sort().join(',')}`]
  })
  return parts.length === 0 ? '' : `must specify ${parts.join('; ')}`
}

function sizesOf(resources: PodSpec['resources']): Amounts {
  return computeUsage(readAmounts(resources?.requests), readAmounts(resources?.limits))
}
