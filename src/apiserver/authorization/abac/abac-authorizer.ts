import type { PolicyRule } from '../../../api/rbac/v1/role.js'
import type { User } from '../../user.js'
import { type Attributes, type Authorizer, allow, type Decision, type RulesOfUser } from '../authorizer.js'
import { pathMatches } from '../rbac/compiled-rules.js'
import type { Policy } from './policies.js'

const allowed = allow('')
const unmatched: Decision = { verdict: 'no-opinion', reason: 'No policy matched.' }
const reading = ['get', 'list', 'watch']

/** Permission by a list of policies that is fixed at start: the first that fits allows. */
export class AbacAuthorizer implements Authorizer {
  readonly name = 'ABAC'
  readonly #policies: readonly Policy[]

  constructor(policies: readonly Policy[]) {
    this.#policies = policies
  }

  authorize(attributes: Attributes): Decision {
    return this.#policies.some((policy) => allows(policy, attributes)) ? allowed : unmatched
  }

  rulesFor(user: User, namespace: string): RulesOfUser {
    const here = this.#policies.filter((policy) => isAbout(policy, user) && fits(policy.namespace, namespace))
    return { rules: here.flatMap(rulesOf), isIncomplete: false }
  }
}

function allows(policy: Policy, attributes: Attributes): boolean {
  if (!isAbout(policy, attributes.user)) return false
  if (policy.readonly && !reading.includes(attributes.verb)) return false
  return attributes.isResource
    ? coversResource(policy, attributes)
    : pathMatches(policy.nonResourcePath, attributes.path)
}

function coversResource(policy: Policy, { namespace, resource, group }: Attributes): boolean {
  return fits(policy.namespace, namespace) && fits(policy.resource, resource) && fits(policy.apiGroup, group)
}

function fits(pattern: string, value: string): boolean {
  return pattern === '*' || pattern === value
}

/** Both must fit where both are named; a policy that names nobody is about nobody. */
function isAbout(policy: Policy, { name, groups }: User): boolean {
  if (policy.user === '' && policy.group === '') return false
  const isUser = policy.user === '' || policy.user === name
  return isUser && (policy.group === '' || groups.includes(policy.group))
}

function rulesOf({ readonly, apiGroup, resource, nonResourcePath }: Policy): readonly PolicyRule[] {
  const verbs = readonly ? reading : ['*']
  return [
    ...(resource === '' ? [] : [{ verbs, apiGroups: [apiGroup], resources: [resource] }]),
    ...(nonResourcePath === '' ? [] : [{ verbs, nonResourceURLs: [nonResourcePath] }]),
  ]
}
