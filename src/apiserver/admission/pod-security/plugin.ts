import type { Namespace } from '../../../api/core/v1/namespace.js'
import type { Pod } from '../../../api/core/v1/pod.js'
import type { PodTemplateSpec } from '../../../api/core/v1/pod-template.js'
import type { KubeObject } from '../../../api/kube-object.js'
import { quote } from '../../../schema/quote.js'
import type { AdmissionRequest } from '../admission.js'
import { defineAdmissionPlugin } from '../definition.js'
import { rejection } from '../rejection.js'
import { isFor, isWrite } from '../request.js'
import type { CheckedPod, Violation } from './check.js'
import { defaultPolicy, type PodSecurityConfiguration, podSecurityConfiguration } from './configuration.js'
import { Exemptions } from './exemptions.js'
import { checkNamespace } from './namespaces.js'
import { isSignificant } from './pod-changes.js'
import { detailText, isUnlimited, type LevelVersion, levelText, readNamespacePolicy, unlimited } from './policy.js'
import { PodSecurityStandards } from './standards.js'

/** Subresources of pods that cannot change a pod's spec. */
const harmlessSubresources: ReadonlySet<string> = new Set([
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

/** The pod templates of the kinds that create pods. */
const podTemplates: Readonly<Record<string, (object: Workload) => PodTemplateSpec | undefined>> = {
  '/replicationcontrollers': ({ spec }) => spec?.template,
  '/podtemplates': ({ template }) => template,
  'apps/replicasets': ({ spec }) => spec?.template,
  'apps/deployments': ({ spec }) => spec?.template,
  'apps/statefulsets': ({ spec }) => spec?.template,
  'apps/daemonsets': ({ spec }) => spec?.template,
  'batch/jobs': ({ spec }) => spec?.template,
  'batch/cronjobs': ({ spec }) => spec?.jobTemplate?.spec?.template,
}

/**
 * Enforces the pod security standards. Labels of a namespace set the levels for its pods; the configuration sets them for namespaces
 * without labels.
 */
export const podSecurity = defineAdmissionPlugin<KubeObject, PodSecurityConfiguration>({
  name: 'PodSecurity',
  position: 130,
  isDefault: true,
  configuration: podSecurityConfiguration,
  create({ lookups }, configuration) {
    const namespaces = lookups.of<Namespace>('', 'v1', 'namespaces')
    const pods = lookups.of<Pod>('', 'v1', 'pods')
    const defaults = configuration ? defaultPolicy(configuration.defaults) : unlimited
    const exemptions = new Exemptions(configuration?.exemptions)
    const standards = new PodSecurityStandards()
    return {
      handles: (request) => isWrite(request) && isChecked(request),
      validate(request) {
        if (isFor(request, '', 'namespaces')) return checkNamespace(request, { pods, defaults, exemptions, standards })
        if (exemptions.includeRequest(request)) return
        const { policy } = readNamespacePolicy(namespaces.get(request.namespace)?.metadata.labels, defaults)
        if (isUnlimited(policy)) return
        const pod = podToCheck(request)
        if (!pod || exemptions.includePod(pod)) return
        if (isFor(request, '', 'pods', request.subresource))
          enforce(request, policy.enforce, standards.violations(policy.enforce, pod))
        warn(request, policy.warn, standards.violations(policy.warn, pod))
      },
    }
  },
})

function isChecked(request: AdmissionRequest): boolean {
  const { group, resource } = request.resource.groupResource
  if (isFor(request, '', 'pods', request.subresource)) return !harmlessSubresources.has(request.subresource)
  if (request.subresource !== '') return false
  return isFor(request, '', 'namespaces') || podTemplates[`${group}/${resource}`] !== undefined
}

/** Returns the pod or the pod template to check; undefined if there is none, or if no relevant field has changed. */
function podToCheck(request: AdmissionRequest): CheckedPod | undefined {
  const { group, resource } = request.resource.groupResource
  const template = podTemplates[`${group}/${resource}`]
  if (template) return asPod(template(request.object as Workload))
  const pod = request.object as Pod
  return request.operation === 'CREATE' || isSignificant(pod, request.old as Pod) ? pod : undefined
}

function asPod(template: PodTemplateSpec | undefined): CheckedPod | undefined {
  return template?.spec && { metadata: template.metadata ?? {}, spec: template.spec }
}

function enforce(request: AdmissionRequest, level: LevelVersion, violations: readonly Violation[]): void {
  if (violations.length > 0)
    throw rejection(request, `violates PodSecurity ${quote(levelText(level))}: ${detailText(violations)}`)
}

function warn(request: AdmissionRequest, level: LevelVersion, violations: readonly Violation[]): void {
  if (violations.length > 0)
    request.warn(`would violate PodSecurity ${quote(levelText(level))}: ${detailText(violations)}`)
}
