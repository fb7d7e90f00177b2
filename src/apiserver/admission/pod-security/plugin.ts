import type { Namespace } from '../../../api/core/v1/namespace.js'
import type { Pod } from '../../../api/core/v1/pod.js'
import type { PodTemplateSpec } from '../../../api/core/v1/pod-template.js'
import { invalid } from '../../../api/errors.js'
import { quote } from '../../../schema/quote.js'
import type { AdmissionPlugin, AdmissionRequest } from '../admission.js'
import type { Lookup, Lookups } from '../lookup.js'
import { refusal } from '../refusal.js'
import { isAbout } from '../requests.js'
import type { CheckedPod } from './check.js'
import { isSignificant } from './pod-changes.js'
import {
  detailText,
  isStricter,
  isUnlimited,
  type LevelVersion,
  levelText,
  readPolicy,
  reasonText,
  violations,
} from './policy.js'

/** Subresources of pods through which a pod's spec cannot change. */
const harmless: ReadonlySet<string> = new Set([
  'exec',
  'attach',
  'binding',
  'eviction',
  'log',
  'portforward',
  'proxy',
  'status',
])

interface Workload {
  readonly template?: PodTemplateSpec
  readonly spec?: {
    readonly template?: PodTemplateSpec
    readonly jobTemplate?: { readonly spec?: { readonly template?: PodTemplateSpec } }
  }
}

/** Where kinds that make pods say what these will be. */
const templates: Readonly<Record<string, (object: Workload) => PodTemplateSpec | undefined>> = {
  '/replicationcontrollers': ({ spec }) => spec?.template,
  '/podtemplates': ({ template }) => template,
  'apps/replicasets': ({ spec }) => spec?.template,
  'apps/deployments': ({ spec }) => spec?.template,
  'apps/statefulsets': ({ spec }) => spec?.template,
  'apps/daemonsets': ({ spec }) => spec?.template,
  'batch/jobs': ({ spec }) => spec?.template,
  'batch/cronjobs': ({ spec }) => spec?.jobTemplate?.spec?.template,
}

/** The pod security standards: namespaces say by labels how much their pods may do. */
export function podSecurity(lookups: Lookups): AdmissionPlugin {
  const namespaces = lookups.of<Namespace>('', 'v1', 'namespaces')
  const pods = lookups.of<Pod>('', 'v1', 'pods')
  return {
    name: 'PodSecurity',
    handles: ({ operation, subresource, resource: { groupResource } }) => {
      if (operation !== 'CREATE' && operation !== 'UPDATE') return false
      if (groupResource.group === '' && groupResource.resource === 'pods') return !harmless.has(subresource)
      if (subresource !== '') return false
      if (groupResource.group === '' && groupResource.resource === 'namespaces') return true
      return templates[`${groupResource.group}/${groupResource.resource}`] !== undefined
    },
    validate(request) {
      if (isAbout(request, '', 'namespaces')) return checkNamespace(request, pods)
      const labels = namespaces.get(request.namespace)?.metadata.labels
      const { policy } = readPolicy(labels)
      if (isUnlimited(policy)) return
      const pod = podIn(request)
      if (!pod) return
      if (isAbout(request, '', 'pods', request.subresource)) enforce(request, pod, policy.enforce)
      warn(request, pod, policy.warn)
    },
  }
}

/** What is to be looked at; undefined if there is nothing, or nothing about it has changed. */
function podIn(request: AdmissionRequest): CheckedPod | undefined {
  const { group, resource } = request.resource.groupResource
  const template = templates[`${group}/${resource}`]
  if (template) return asPod(template(request.object as Workload))
  const pod = request.object as unknown as Pod
  return request.operation === 'CREATE' || isSignificant(pod, request.old as unknown as Pod) ? pod : undefined
}

function asPod(template: PodTemplateSpec | undefined): CheckedPod | undefined {
  return template?.spec && { metadata: template.metadata ?? {}, spec: template.spec }
}

function enforce(request: AdmissionRequest, pod: CheckedPod, level: LevelVersion): void {
  const found = violations(level, pod)
  if (found.length > 0) throw refusal(request, `violates PodSecurity ${quote(levelText(level))}: ${detailText(found)}`)
}

function warn({ warn: tell }: AdmissionRequest, pod: CheckedPod, level: LevelVersion): void {
  const found = violations(level, pod)
  if (found.length > 0) tell(`would violate PodSecurity ${quote(levelText(level))}: ${detailText(found)}`)
}

function checkNamespace(request: AdmissionRequest, pods: Lookup<Pod>): void {
  const { metadata } = request.object as unknown as Namespace
  const next = readPolicy(metadata.labels)
  const before = readPolicy(request.old?.metadata.labels)
  const isNews = request.operation === 'CREATE' || String(next.errors) !== String(before.errors)
  if (next.errors.length > 0 && isNews)
    throw invalid({ group: '', kind: 'Namespace' }, metadata.name ?? '', next.errors)
  if (request.operation === 'CREATE' || !isStricter(next.policy.enforce, before.policy.enforce)) return
  for (const warning of existingWarnings(pods, metadata.name ?? '', next.policy.enforce)) request.warn(warning)
}

/** No more pods are looked at when a namespace becomes stricter. */
const mostPods = 3000

function existingWarnings(pods: Lookup<Pod>, namespace: string, level: LevelVersion): readonly string[] {
  const all = pods.list(namespace)
  const byReason = new Map<string, string[]>()
  for (const pod of all.slice(0, mostPods)) {
    const reason = reasonText(violations(level, pod))
    if (reason === '') continue
    const names = byReason.get(reason)
    if (names) names.push(pod.metadata.name!)
    else byReason.set(reason, [pod.metadata.name!])
  }
  const told = [...byReason].map(([reason, names]) => `${podsText(names)}: ${reason}`).sort()
  const title = `existing pods in namespace ${quote(namespace)} violate the new PodSecurity enforce level ${quote(levelText(level))}`
  return [
    ...(all.length > mostPods
      ? [`new PodSecurity enforce level only checked against the first ${mostPods} of ${all.length} existing pods`]
      : []),
    ...(told.length > 0 ? [title] : []),
    ...told,
  ]
}

/** Pods come in the order of their names. */
function podsText([first = '', ...others]: readonly string[]): string {
  if (others.length === 0) return first
  return others.length === 1 ? `${first} (and 1 other pod)` : `${first} (and ${others.length} other pods)`
}
