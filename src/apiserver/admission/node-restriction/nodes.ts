import type { Node } from '../../../api/core/v1/node.js'
import { sameJson } from '../../../schema/json-value.js'
import { quote } from '../../../schema/quote.js'
import type { AdmissionRequest } from '../admission.js'
import { rejection } from '../rejection.js'

/** Labels of the project's own domains that a node may give itself. */
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

/** A node writes about itself, and neither steers pods towards it nor keeps them off. */
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
  const labels = forbidden(node.metadata.labels ?? {}, {})
  if (labels.length > 0)
    throw rejection(request, `node ${quote(name)} is not allowed to set the following labels: ${labels.join(', ')}`)
}

function checkUpdate(request: AdmissionRequest, name: string): void {
  const [node, old] = [request.object as Node, request.old as Node]
  const source = node.spec?.configSource
  if (source && !same(source, old.spec?.configSource))
    throw rejection(request, `node ${quote(name)} is not allowed to update configSource to a new non-nil configSource`)
  if (!same(node.spec?.taints ?? [], old.spec?.taints ?? []))
    throw rejection(request, `node ${quote(name)} is not allowed to modify taints`)
  const labels = forbidden(node.metadata.labels ?? {}, old.metadata.labels ?? {})
  if (labels.length > 0) throw rejection(request, `is not allowed to modify labels: ${labels.join(', ')}`)
}

type Labels = Readonly<Record<string, string>>

/** Labels that are being changed and are not the node's to change. */
function forbidden(labels: Labels, old: Labels): readonly string[] {
  const keys = new Set([...Object.keys(labels), ...Object.keys(old)])
  return [...keys].filter((key) => labels[key] !== old[key] && isForbidden(key)).sort()
}

function isForbidden(key: string): boolean {
  const domain = key.includes('/') ? key.slice(0, key.indexOf('/')) : ''
  if (isWithin(domain, restrictedDomains)) return true
  return isWithin(domain, projectDomains) && !ownLabels.has(key) && !isWithin(domain, ownDomains)
}

function isWithin(domain: string, domains: readonly string[]): boolean {
  return domains.some((one) => domain === one || domain.endsWith(`.${one}`))
}

function same(one: unknown, other: unknown): boolean {
  return sameJson(one, other)
}
