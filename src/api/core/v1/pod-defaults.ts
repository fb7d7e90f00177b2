import type { Draft } from '../../../schema/infer.js'
import { rules } from '../../../schema/rules.js'
import { Pod } from './pod.js'
import { podCells } from './pod-cells.js'
import { containerTotals } from './pod-resources.js'
import { PodSpec } from './pod-spec.js'
import { PodStatus } from './pod-status.js'
import { requestUpToLimits, roundResources } from './resource-defaults.js'
import { isHugePages, isOvercommitAllowed, isPodResource } from './resource-names.js'

/** What pods get and templates do not: a template is filled in when a pod is made from it, by the rules of that day. */
export const podRules = rules<Pod>(Pod, {
  defaults({ spec }) {
    for (const { resources } of spec.containers ?? []) requestUpToLimits(resources)
    for (const { resources } of spec.initContainers ?? []) requestUpToLimits(resources)
    fillPodResources(spec)
    spec.enableServiceLinks ??= true
    if (spec.hostNetwork) fillHostPorts(spec)
  },
  cells: podCells,
})

/** The declaration has the constants. */
export const podSpecRules = rules<PodSpec>(PodSpec, {
  defaults(spec) {
    spec.serviceAccountName ||= spec.serviceAccount ?? ''
    if (spec.serviceAccountName === '') delete spec.serviceAccountName
    else spec.serviceAccount = spec.serviceAccountName
    roundResources(spec.overhead)
  },
})

/** The first of several addresses has a field of its own, which old clients write alone. It wins over the list. */
export const podStatusRules = rules<PodStatus>(PodStatus, {
  defaults(status) {
    const { podIP, podIPs } = status
    if (podIP && podIP !== podIPs?.[0]?.ip) status.podIPs = [{ ip: podIP }]
    else if (podIPs?.[0]) status.podIP = podIPs[0].ip
  },
})

function fillHostPorts({ containers, initContainers }: Draft<PodSpec>): void {
  for (const { ports } of [...(containers ?? []), ...(initContainers ?? [])])
    for (const port of ports ?? []) port.hostPort ||= port.containerPort
}

/** Where the whole pod has limits, it asks for what its containers ask for, or else for as much as it may have. */
function fillPodResources(spec: Draft<PodSpec>): void {
  const { resources } = spec
  if (!resources || (!resources.limits && !resources.requests)) return
  const limits = { ...resources.limits }
  for (const [name, amount] of containerTotals(spec as PodSpec, 'limits'))
    if (isHugePages(name) && resources.requests?.[name] === undefined) limits[name] ??= amount.toString()
  if (Object.keys(limits).length === 0) return
  resources.limits = limits
  const requests = { ...resources.requests }
  for (const [name, amount] of containerTotals(spec as PodSpec, 'requests'))
    if (isPodResource(name) && isOvercommitAllowed(name)) requests[name] ??= amount.toString()
  for (const name in limits) if (isPodResource(name)) requests[name] ??= limits[name]!
  if (Object.keys(requests).length > 0) resources.requests = requests
}
