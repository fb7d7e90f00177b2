import type { Namespace } from '../../../api/core/v1/namespace.js'
import type { Pod } from '../../../api/core/v1/pod.js'
import type { PodTemplateSpec } from '../../../api/core/v1/pod-template.js'
import { quote } from '../../../schema/quote.js'
import type { AdmissionPlugin, AdmissionRequest } from '../admission.js'
import type { ObjectLookups } from '../lookup.js'
import { rejection } from '../rejection.js'
import { isFor } from '../requests.js'
import type { CheckedPod } from './check.js'
import { defaultPolicy, type PodSecurityConfiguration } from './configuration.js'
import { Exemptions } from './exemptions.js'
import { checkNamespace } from './namespaces.js'
import { isSignificant } from './pod-changes.js'
import {
  detailText,
  isUnlimited,
  type LevelVersion,
  levelText,
  readNamespacePolicy,
  unlimited,
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

/** The pod security standards: namespaces say by labels how much their pods may do, the configuration says it for the others. */
export function podSecurity(lookups: ObjectLookups, configuration?: PodSecurityConfiguration): AdmissionPlugin {
  const namespaces = lookups.of<Namespace>('', 'v1', 'namespaces')
  const pods = lookups.of<Pod>('', 'v1', 'pods')
  const defaults = configuration ? defaultPolicy(configuration.defaults) : unlimited
  const exemptions = new Exemptions(configuration?.exemptions)
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
      if (isFor(request, '', 'namespaces')) return checkNamespace(request, { pods, defaults, exemptions })
      if (exemptions.haveRequest(request)) return
      const { policy } = readNamespacePolicy(namespaces.get(request.namespace)?.metadata.labels, defaults)
      if (isUnlimited(policy)) return
      const pod = podIn(request)
      if (!pod || exemptions.havePod(pod)) return
      if (isFor(request, '', 'pods', request.subresource)) enforce(request, pod, policy.enforce)
      warn(request, pod, policy.warn)
    },
  }
}

/** What is to be looked at; undefined if there is nothing, or nothing about it has changed. */
function podIn(request: AdmissionRequest): CheckedPod | undefined {
  const { group, resource } = request.resource.groupResource
  const template = templates[`${group}/${resource}`]
  if (template) return asPod(template(request.object as Workload))
  const pod = request.object as Pod
  return request.operation === 'CREATE' || isSignificant(pod, request.old as Pod) ? pod : undefined
}

function asPod(template: PodTemplateSpec | undefined): CheckedPod | undefined {
  return template?.spec && { metadata: template.metadata ?? {}, spec: template.spec }
}

function enforce(request: AdmissionRequest, pod: CheckedPod, level: LevelVersion): void {
  const found = violations(level, pod)
  if (found.length > 0)
    throw rejection(request, `violates PodSecurity ${quote(levelText(level))}: ${detailText(found)}`)
}

function warn({ warn: tell }: AdmissionRequest, pod: CheckedPod, level: LevelVersion): void {
  const found = violations(level, pod)
  if (found.length > 0) tell(`would violate PodSecurity ${quote(levelText(level))}: ${detailText(found)}`)
}
