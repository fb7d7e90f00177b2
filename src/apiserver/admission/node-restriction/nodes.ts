import type { Node } from '../../../api/core/v1/node.js'
import { sameJson } from '../../../schema/json-value.js'
import { quote } from '../../../schema/quote.js'
import type { AdmissionRequest } from '../admission.js'
import { rejection } from '../rejection.js'

/** Labels of Kubernetes' domains that a node may set on itself. */
const ownLabels: ReadonlySet<string> = new Set([
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/instance-type',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
])
const ownDomains = ['kubelet.kubernetes.io', 'node.kubernetes.io']
const projectDomains = ['kubernetes.io', 'k8s.io']
const restrictedDomains = ['node-restriction.kubernetes.io']

/** A node may write its own object only, and may not attract or repel pods by labels and taints. */
export function checkNode(request: AdmissionRequest, name: string): void {
  if (request.name !== name)
    throw rejection(request, `node ${quote(name)} is not allowed to modify node ${quote(request.name)}`)
  if (request.operation === 'CREATE') checkCreation(request, name)
  if (request.operation === 'UPDATE') checkUpdate(request, name)
}

function checkCreation(request: AdmissionRequest, name: string): void {
  const node = request.object as Node
  if (node.spec?.configSource)
    throw rejection(request, `node ${quote(name)} is not allowed to create pods with a non-nil configSource`)
  const labels = forbiddenLabels(node.metadata.labels ?? {}, {})
  if (labels.length > 0)
    throw rejection(request, `node ${quote(name)} is not allowed to set the following labels: ${labels.join(', ')}`)
}

function checkUpdate(request: AdmissionRequest, name: string): void {
  const [node, old] = [request.object as Node, request.old as Node]
  const source = node.spec?.configSource
  if (source && !sameJson(source, old.spec?.configSource))
    throw rejection(request, `node ${quote(name)} is not allowed to update configSource to a new non-nil configSource`)
  if (!sameJson(node.spec?.taints ?? [], old.spec?.taints ?? []))
    throw rejection(request, `node ${quote(name)} is not allowed to modify taints`)
  const labels = forbiddenLabels(node.metadata.labels ?? {}, old.metadata.labels ?? {})
  if (labels.length > 0) throw rejection(request, `is not allowed to modify labels: ${labels.join(', ')}`)
}

type Labels = Readonly<Record<string, string>>

/** Returns the changed labels that a node may not change. */
function forbiddenLabels(labels: Labels, old: Labels): readonly string[] {
  const keys = new Set([...Object.keys(labels), ...Object.keys(old)])
  return [...keys].filter((key) => labels[key] !== old[key] && isForbiddenLabel(key)).sort()
}

function isForbiddenLabel(key: string): boolean {
  const domain = key.includes('/') ? key.slice(0, key.indexOf('/')) : ''
  if (isWithin(domain, restrictedDomains)) return true
  return isWithin(domain, projectDomains) && !ownLabels.has(key) && !isWithin(domain, ownDomains)
}

function isWithin(domain: string, domains: readonly string[]): boolean {
  return domains.some((one) => domain === one || domain.endsWith(`.${one}`))
}
