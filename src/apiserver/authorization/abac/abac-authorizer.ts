import type { PolicyRule } from '../../../api/rbac/v1/role.js'
import type { RequestUser } from '../../request/user.js'
import {
  type AuthorizationAttributes,
  type AuthorizationResult,
  type Authorizer,
  allow,
  type UserRules,
} from '../authorizer.js'
import { pathMatches } from '../rbac/compiled-rules.js'
import type { AbacPolicy } from './policies.js'

const allowed = allow('')
const unmatched: AuthorizationResult = { decision: 'no-opinion', reason: 'No policy matched.' }
const reading = ['get', 'list', 'watch']

/** Allows a request if one policy of a file matches it. The file is read at start. */
export class AbacAuthorizer implements Authorizer {
  readonly name = 'ABAC'
  readonly #policies: readonly AbacPolicy[]

  constructor(policies: readonly AbacPolicy[]) {
    this.#policies = policies
  }

  authorize(attributes: AuthorizationAttributes): AuthorizationResult {
    return this.#policies.some((policy) => allows(policy, attributes)) ? allowed : unmatched
  }

  rulesFor(user: RequestUser, namespace: string): UserRules {
    const here = this.#policies.filter((policy) => matchesUser(policy, user) && fits(policy.namespace, namespace))
    return { rules: here.flatMap(rulesOf), isIncomplete: false }
  }
}

function allows(policy: AbacPolicy, attributes: AuthorizationAttributes): boolean {
  if (!matchesUser(policy, attributes.user)) return false
  if (policy.readonly && !reading.includes(attributes.verb)) return false
  return attributes.isResource
    ? coversResource(policy, attributes)
    : pathMatches(policy.nonResourcePath, attributes.path)
}

function coversResource(policy: AbacPolicy, { namespace, resource, group }: AuthorizationAttributes): boolean {
  return fits(policy.namespace, namespace) && fits(policy.resource, resource) && fits(policy.apiGroup, group)
}

function fits(pattern: string, value: string): boolean {
  return pattern === '*' || pattern === value
}

/** If a policy names a user and a group, both must match; a policy that names neither matches nobody. */
function matchesUser(policy: AbacPolicy, { name, groups }: RequestUser): boolean {
  if (policy.user === '' && policy.group === '') return false
  const isUser = policy.user === '' || policy.user === name
  return isUser && (policy.group === '' || groups.includes(policy.group))
}

function rulesOf({ readonly, apiGroup, resource, nonResourcePath }: AbacPolicy): readonly PolicyRule[] {
  const verbs = readonly ? reading : ['*']
  return [
    ...(resource === '' ? [] : [{ verbs, apiGroups: [apiGroup], resources: [resource] }]),
    ...(nonResourcePath === '' ? [] : [{ verbs, nonResourceURLs: [nonResourcePath] }]),
  ]
}
