import type { RuleWithOperations } from '../../../api/admissionregistration/v1/match-resources.js'
import type { Operation } from '../admission.js'

export interface GroupVersionResource {
  readonly group: string
  readonly version: string
  readonly resource: string
}

/** The attributes of a request that rules match. */
export interface RuleSubject {
  readonly operation: Operation
  readonly resource: GroupVersionResource
  readonly subresource: string
  /** For a namespace, its own name. */
  readonly namespace: string
}

export function matchesRule(rule: RuleWithOperations, subject: RuleSubject): boolean {
  const { group, version } = subject.resource
  return (
    isInScope(rule.scope ?? '*', subject) &&
    isNamed(rule.operations, subject.operation) &&
    isNamed(rule.apiGroups, group) &&
    isNamed(rule.apiVersions, version) &&
    (rule.resources ?? []).some((pattern) => matchesResource(pattern, subject))
  )
}

function isNamed(names: readonly string[] | undefined, wanted: string): boolean {
  return names !== undefined && (names.includes('*') || names.includes(wanted))
}

function isInScope(scope: string, { resource, namespace }: RuleSubject): boolean {
  if (scope === '*') return true
  const isClusterWide = namespace === '' || isNamespaces(resource)
  return scope === 'Cluster' ? isClusterWide : scope === 'Namespaced' && !isClusterWide
}

/** Namespaces are cluster-wide, although requests for them name one. */
function isNamespaces({ group, version, resource }: GroupVersionResource): boolean {
  return resource === 'namespaces' && version === 'v1' && group === ''
}

/** `pods`, `pods/status`, `pods/*`, `*`, `*` with a slash and a subresource or a star behind it. */
function matchesResource(pattern: string, { resource, subresource }: RuleSubject): boolean {
  const slash = pattern.indexOf('/')
  const name = slash < 0 ? pattern : pattern.slice(0, slash)
  const sub = slash < 0 ? '' : pattern.slice(slash + 1)
  return (name === '*' || name === resource.resource) && (sub === '*' || sub === subresource)
}
