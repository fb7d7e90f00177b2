import { Quantity } from '../../schema/values/quantity.js'
import { containerTotals } from '../core/v1/pod/resources.js'
import type { PodSpec } from '../core/v1/pod/spec.js'
import type { Pod } from '../core/v1/pod.js'
import { isExtendedResource, isHugePages } from '../core/v1/resource-requirements/resource-names.js'
import type { KubeObject } from '../kube-object.js'
import { addAmounts, type QuotaQuantities, readAmounts } from './amounts.js'
import type { QuotaEvaluator } from './evaluator.js'
import { podInScope } from './scopes.js'

const measured = ['cpu', 'memory', 'ephemeral-storage'] as const

const names: ReadonlySet<string> = new Set([
  'count/pods',
  'pods',
  ...measured.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
])

interface Stated {
  readonly which: 'requests' | 'limits'
  readonly resource: string
}

/** Every container must specify these if a quota limits them. */
const mandatory: ReadonlyMap<string, Stated> = new Map(
  ['cpu', 'memory'].flatMap((resource): [string, Stated][] => [
    [resource, { which: 'requests', resource }],
    [`requests.${resource}`, { which: 'requests', resource }],
    [`limits.${resource}`, { which: 'limits', resource }],
  ]),
)

export const podEvaluator: QuotaEvaluator = {
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

const single = Quantity.of(1)

/** A finished pod counts as an object, but uses no resources. */
function usageOf(pod: Pod, now: number): QuotaQuantities {
  const usage = new Map<string, Quantity>([['count/pods', single]])
  if (hasEnded(pod, now)) return usage
  usage.set('pods', single)
  const { spec } = pod
  const overhead = readAmounts(spec.overhead)
  for (const [name, amount] of addAmounts(totals(spec, 'requests'), overhead))
    for (const counted of requestNames(name)) usage.set(counted, amount)
  const limits = totals(spec, 'limits')
  for (const name of measured) {
    const limit = limits.get(name)
    const more = overhead.get(name)
    if (limit) usage.set(limitNames[name], more ? limit.add(more) : limit)
  }
  return usage
}

const limitNames = { cpu: 'limits.cpu', memory: 'limits.memory', 'ephemeral-storage': 'limits.ephemeral-storage' }

/** A cache of the quota names of common resources. */
const usualNames = new Map<string, readonly string[]>(measured.map((name) => [name, [name, `requests.${name}`]]))

function requestNames(name: string): readonly string[] {
  const usual = usualNames.get(name)
  if (usual) return usual
  if (isHugePages(name)) return [name, `requests.${name}`]
  return isExtendedResource(name) ? [`requests.${name}`] : []
}

/** Pod-level resources replace those of the containers. */
function totals(spec: PodSpec, which: 'requests' | 'limits'): QuotaQuantities {
  const ofContainers = containerTotals(spec, which)
  return spec.resources ? new Map([...ofContainers, ...readAmounts(spec.resources[which])]) : ofContainers
}

function hasEnded({ metadata, status }: Pod, now: number): boolean {
  if (status?.phase === 'Failed' || status?.phase === 'Succeeded') return true
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return false
  return now > Date.parse(deletionTimestamp) + deletionGracePeriodSeconds * 1000
}

/** `must specify limits.cpu for: a,b; requests.memory for: a`. */
function missingText(spec: PodSpec, limited: readonly string[]): string {
  const required = limited.filter((name) => mandatory.has(name) && !isStated(spec.resources, name)).sort()
  const parts = required.flatMap((name) => {
    const silent = [...spec.containers, ...(spec.initContainers ?? [])].filter(
      ({ resources }) => !isStated(resources, name),
    )
    return silent.length === 0
      ? []
      : [`${name} for: ${[...new Set(silent.map((container) => container.name))].sort().join(',')}`]
  })
  return parts.length === 0 ? '' : `must specify ${parts.join('; ')}`
}

function isStated(resources: PodSpec['resources'], name: string): boolean {
  const { which, resource } = mandatory.get(name)!
  return resources?.[which]?.[resource] !== undefined
}
