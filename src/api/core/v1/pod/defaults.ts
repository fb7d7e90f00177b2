import type { Draft } from '../../../../schema/infer.js'
import { declareDefaults } from '../../../../schema/schema.js'
import type { Quantity } from '../../../../schema/values/quantity.js'
import type { ObjectMeta } from '../../../meta/v1/object-meta.js'
import { Pod } from '../pod.js'
import { PodTemplateSpec } from '../pod-template.js'
import { requestUpToLimits, roundResources } from '../resource-requirements/defaults.js'
import { isHugePages, isOvercommitAllowed, isPodResource } from '../resource-requirements/resource-names.js'
import { containerTotals } from './resources.js'
import { PodSpec } from './spec.js'
import { PodStatus } from './status.js'

/** Defaults of pods, but not of pod templates: a pod that is created from a template gets them then. */
export const podDefaults = declareDefaults<Pod>(Pod, ({ metadata, spec }) => {
  dropAnnotations(metadata)
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) spec.terminationGracePeriodSeconds = 1
  for (const { resources } of spec.containers ?? []) requestUpToLimits(resources)
  for (const { resources } of spec.initContainers ?? []) requestUpToLimits(resources)
  fillPodResources(spec)
  spec.enableServiceLinks ??= true
  if (spec.hostNetwork) fillHostPorts(spec)
})

export const podTemplateSpecDefaults = declareDefaults<PodTemplateSpec>(PodTemplateSpec, ({ metadata }) =>
  dropAnnotations(metadata),
)

/** Annotations of old clients that repeat the init containers of the spec. */
const outdated = ['init-containers', 'init-container-statuses'].flatMap((name) => [
  `pod.beta.kubernetes.io/${name}`,
  `pod.alpha.kubernetes.io/${name}`,
])

function dropAnnotations(metadata: Draft<ObjectMeta> | undefined): void {
  const annotations = metadata?.annotations
  if (!metadata || !annotations || !outdated.some((key) => annotations[key] !== undefined)) return
  const kept = Object.entries(annotations).filter(([key]) => !outdated.includes(key))
  if (kept.length === 0) delete metadata.annotations
  else metadata.annotations = Object.fromEntries(kept)
}

/** Defaults that depend on other fields. Constant defaults are in the declaration (`spec.ts`). */
export const podSpecDefaults = declareDefaults<PodSpec>(PodSpec, (spec) => {
  const account = spec.serviceAccountName || spec.serviceAccount
  if (account) {
    spec.serviceAccountName = account
    spec.serviceAccount = account
  } else if (spec.serviceAccountName === '') delete spec.serviceAccountName
  roundResources(spec.overhead)
})

/** Old clients only write `podIP`, which has precedence over the first address in `podIPs`. */
export const podStatusDefaults = declareDefaults<PodStatus>(PodStatus, (status) => {
  const { podIP, podIPs } = status
  if (podIP && podIP !== podIPs?.[0]?.ip) status.podIPs = [{ ip: podIP }]
  else if (podIPs?.[0]) status.podIP = podIPs[0].ip
})

function fillHostPorts({ containers, initContainers }: Draft<PodSpec>): void {
  for (const { ports } of [...(containers ?? []), ...(initContainers ?? [])])
    for (const port of ports ?? []) port.hostPort ||= port.containerPort
}

/** Sets the pod-level requests of a pod with pod-level limits: the container requests, or else the limits. */
function fillPodResources(spec: Draft<PodSpec>): void {
  const { resources } = spec
  if (!resources || (!resources.limits && !resources.requests)) return
  const limits = { ...pageLimits(spec as PodSpec), ...resources.limits }
  if (Object.keys(limits).length === 0) return
  resources.limits = limits
  const requests = { ...limitsAsRequests(limits), ...containerRequests(spec as PodSpec), ...resources.requests }
  if (Object.keys(requests).length > 0) resources.requests = requests
}

/** The container limits of huge pages that the pod does not request itself. */
function pageLimits(spec: PodSpec): Record<string, string> {
  const isLeftOut = (name: string) => isHugePages(name) && spec.resources?.requests?.[name] === undefined
  return amounts(containerTotals(spec, 'limits'), isLeftOut)
}

function limitsAsRequests(limits: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(limits).filter(([name]) => isPodResource(name)))
}

function containerRequests(spec: PodSpec): Record<string, string> {
  return amounts(containerTotals(spec, 'requests'), (name) => isPodResource(name) && isOvercommitAllowed(name))
}

function amounts(totals: ReadonlyMap<string, Quantity>, isWanted: (name: string) => boolean): Record<string, string> {
  const wanted = [...totals].filter(([name]) => isWanted(name))
  return Object.fromEntries(wanted.map(([name, total]) => [name, total.toString()]))
}
