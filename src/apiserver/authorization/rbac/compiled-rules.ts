import type { PolicyRule } from '../../../api/rbac/v1/role.js'
import type { AuthorizationAttributes } from '../authorizer.js'

/** Matches every verb, group, resource and path. */
export const everything = '*'

/** A request in the form in which rules are looked up. Computed once per request, for all roles. */
export interface RuleRequest {
  readonly verb: string
  readonly isResource: boolean
  readonly path: string
  readonly group: string
  /** `pods`, or `pods/log`. */
  readonly resource: string
  /** The subresource of any resource, `*` + `/status`; empty if there is none. */
  readonly ofAny: string
  readonly name: string
}

export function ruleRequest({
  verb,
  isResource,
  path,
  group,
  resource,
  subresource,
  name,
}: AuthorizationAttributes): RuleRequest {
  const isPart = subresource !== ''
  return {
    verb,
    isResource,
    path,
    group,
    resource: isPart ? `${resource}/${subresource}` : resource,
    ofAny: isPart ? `${everything}/${subresource}` : '',
    name,
  }
}

/** Rules indexed by resource, so that a role with a hundred resources is as fast as one with two. */
export class CompiledRules {
  readonly #byResource = new Map<string, PolicyRule[]>()
  readonly #onPaths: PolicyRule[] = []

  constructor(rules: readonly PolicyRule[]) {
    for (const rule of rules) {
      if (rule.nonResourceURLs?.length) this.#onPaths.push(rule)
      for (const resource of new Set(rule.resources)) this.#rulesOn(resource).push(rule)
    }
  }

  #rulesOn(resource: string): PolicyRule[] {
    let rules = this.#byResource.get(resource)
    if (!rules) {
      rules = []
      this.#byResource.set(resource, rules)
    }
    return rules
  }

  allow(request: RuleRequest): boolean {
    if (!request.isResource) return this.#allowPath(request)
    return (
      this.#allowBy(request.resource, request) ||
      this.#allowBy(everything, request) ||
      (request.ofAny !== '' && this.#allowBy(request.ofAny, request))
    )
  }

  #allowBy(resource: string, { verb, group, name }: RuleRequest): boolean {
    const rules = this.#byResource.get(resource)
    if (!rules) return false
    for (const { verbs, apiGroups, resourceNames } of rules)
      if (matches(verbs, verb) && matches(apiGroups, group) && isNamed(resourceNames, name)) return true
    return false
  }

  #allowPath({ verb, path }: RuleRequest): boolean {
    for (const { verbs, nonResourceURLs } of this.#onPaths)
      if (matches(verbs, verb) && nonResourceURLs!.some((pattern) => pathMatches(pattern, path))) return true
    return false
  }
}

function matches(allowed: readonly string[] | undefined, wanted: string): boolean {
  return allowed !== undefined && (allowed.includes(wanted) || allowed.includes(everything))
}

function isNamed(names: readonly string[] | undefined, name: string): boolean {
  return names === undefined || names.length === 0 || names.includes(name)
}

/** A pattern that ends with `*` matches by prefix. */
export function pathMatches(pattern: string, path: string): boolean {
  if (pattern === path) return true
  return pattern.endsWith(everything) && path.startsWith(pattern.replace(/\*+$/, ''))
}
