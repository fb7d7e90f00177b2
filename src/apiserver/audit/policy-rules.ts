import type { RequestInfo } from '../request/request-info.js'
import type { RequestUser } from '../request/user.js'
import type { AuditLevel, AuditPolicy, AuditPolicyRule, AuditStage, GroupResources } from './policy.js'

/** What the policy demands for a request. */
export interface AuditDecision {
  readonly level: AuditLevel
  readonly omitted: ReadonlySet<AuditStage>
  readonly omitManagedFields: boolean
}

const noAudit: AuditDecision = { level: 'None', omitted: new Set(), omitManagedFields: false }

/** Returns a function that applies the first matching rule; a request that matches none is not audited. */
export function compiledAuditPolicy(policy: AuditPolicy): (info: RequestInfo, user: RequestUser) => AuditDecision {
  const decided = policy.rules.map((rule) => ({
    rule,
    decision: {
      level: rule.level,
      omitted: new Set([...policy.omitStages, ...(rule.omitStages ?? [])]),
      omitManagedFields: rule.omitManagedFields ?? policy.omitManagedFields,
    },
  }))
  return (info, user) => decided.find(({ rule }) => matches(rule, info, user))?.decision ?? noAudit
}

function matches(rule: AuditPolicyRule, info: RequestInfo, user: RequestUser): boolean {
  const { users = [], userGroups = [], verbs = [], namespaces = [], resources = [], nonResourceURLs = [] } = rule
  if (users.length > 0 && !users.includes(user.name)) return false
  if (userGroups.length > 0 && !userGroups.some((group) => user.groups.includes(group))) return false
  if (verbs.length > 0 && !verbs.includes(info.verb)) return false
  if (namespaces.length > 0 || resources.length > 0) return info.isResource && matchesResource(rule, info)
  if (nonResourceURLs.length > 0)
    return !info.isResource && nonResourceURLs.some((pattern) => matchesPath(pattern, info.path))
  return true
}

function matchesResource({ namespaces = [], resources = [] }: AuditPolicyRule, info: RequestInfo): boolean {
  if (namespaces.length > 0 && !namespaces.includes(info.namespace)) return false
  return resources.length === 0 || resources.some((some) => includes(some, info))
}

function includes({ group = '', resources = [], resourceNames = [] }: GroupResources, info: RequestInfo): boolean {
  if (group !== info.group) return false
  if (resources.length === 0) return true
  if (resourceNames.length > 0 && !resourceNames.includes(info.name)) return false
  const { resource, subresource } = info
  const whole = subresource === '' ? resource : `${resource}/${subresource}`
  return resources.some(
    (name) =>
      name === '*' ||
      name === whole ||
      (subresource !== '' && (name === `*/${subresource}` || name === `${resource}/*`)),
  )
}

function matchesPath(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern
}
