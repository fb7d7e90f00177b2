import type { ClusterRole } from '../../../api/rbac/v1/cluster-role.js'
import type { PolicyRule } from '../../../api/rbac/v1/role.js'
import type { RoleRef, Subject } from '../../../api/rbac/v1/role-binding.js'
import { quote } from '../../../schema/quote.js'
import type { CachedObject } from '../../cache/cached-object.js'
import type { ResourceMap } from '../../registry/resource-map.js'
import type { ServedResource } from '../../registry/served-resource.js'
import type { RequestUser } from '../../request/user.js'
import {
  type AuthorizationAttributes,
  type AuthorizationResult,
  type Authorizer,
  allow,
  noOpinion,
  type UserRules,
} from '../authorizer.js'
import { CompiledRules, type RuleRequest, ruleRequest } from './compiled-rules.js'
import { type Grant, GrantIndex, type SubjectGrants } from './grants.js'

const group = 'rbac.authorization.k8s.io'

/** Authorizes by roles and bindings, from the watch cache. Never reads from disk and never waits. */
export class RbacAuthorizer implements Authorizer {
  readonly name = 'RBAC'
  readonly #roles: ServedResource
  readonly #clusterRoles: ServedResource
  readonly #clusterGrants: GrantIndex
  readonly #grants: GrantIndex
  readonly #compiled = new WeakMap<CachedObject, CompiledRules>()

  constructor(resources: ResourceMap) {
    const find = (resource: string) => resources.find(group, 'v1', resource)!
    this.#roles = find('roles')
    this.#clusterRoles = find('clusterroles')
    const [everywhere, somewhere] = [find('clusterrolebindings'), find('rolebindings')]
    this.#clusterGrants = new GrantIndex('ClusterRoleBinding', everywhere.objects, everywhere.prefix)
    this.#grants = new GrantIndex('RoleBinding', somewhere.objects, somewhere.prefix)
  }

  authorize(attributes: AuthorizationAttributes): AuthorizationResult {
    const request = ruleRequest(attributes)
    for (const grants of this.#scopes(attributes.namespace)) {
      const grant = this.#firstThatAllows(grants, attributes.user, request)
      if (grant) return allow(reasonOf(grant))
    }
    return this.#missing(attributes)
  }

  /** Cluster-wide grants first. */
  #scopes(namespace: string): readonly SubjectGrants[] {
    const everywhere = this.#clusterGrants.in('')
    const here = namespace === '' ? undefined : this.#grants.in(namespace)
    if (!everywhere) return here ? [here] : []
    return here ? [everywhere, here] : [everywhere]
  }

  #firstThatAllows(grants: SubjectGrants, user: RequestUser, request: RuleRequest): Grant | undefined {
    for (const byRole of grants.of(user))
      for (const [first] of byRole.values()) if (this.#rules(first!)?.allow(request)) return first
    return undefined
  }

  #rules({ role, binding }: Grant): CompiledRules | undefined {
    const kept = this.#find(role, binding.namespace)
    if (!kept) return undefined
    let compiled = this.#compiled.get(kept)
    if (!compiled) {
      compiled = new CompiledRules(rulesIn(kept))
      this.#compiled.set(kept, compiled)
    }
    return compiled
  }

  #find({ kind, name }: RoleRef, namespace: string): CachedObject | undefined {
    const resource = kind === 'ClusterRole' ? this.#clusterRoles : this.#roles
    return resource.objects.get(resource.key(namespace, name))
  }

  /** Names the missing roles of the user's bindings in the reason, because they often explain a denial. */
  #missing({ user, namespace }: AuthorizationAttributes): AuthorizationResult {
    if (!this.#scopes(namespace).some((grants) => this.#lacksRole(grants, user))) return noOpinion
    const faults = this.#appliedTo(user, namespace).flatMap((grant) => this.#faultOf(grant))
    return { decision: 'no-opinion', reason: `RBAC: ${aggregated(faults)}` }
  }

  #lacksRole(grants: SubjectGrants, user: RequestUser): boolean {
    for (const byRole of grants.of(user))
      for (const [first] of byRole.values()) if (this.#faultOf(first!).length > 0) return true
    return false
  }

  #faultOf({ role, binding }: Grant): readonly string[] {
    return this.#find(role, binding.namespace) ? [] : [missingRole(role)]
  }

  /** Returns one grant per binding that applies to a user, in the order of the bindings. */
  #appliedTo(user: RequestUser, namespace: string): readonly Grant[] {
    return this.#scopes(namespace).flatMap((grants) => {
      const byBinding = new Map<string, Grant>()
      for (const byRole of grants.of(user))
        for (const sameRole of byRole.values()) for (const grant of sameRole) byBinding.set(grant.binding.key, grant)
      return [...byBinding.values()].sort((one, other) => (one.binding.key < other.binding.key ? -1 : 1))
    })
  }

  rulesFor(user: RequestUser, namespace: string): UserRules {
    const applied = this.#appliedTo(user, namespace)
    const rules = applied.flatMap(({ role, binding }) => this.rulesOf(role, binding.namespace) ?? [])
    const faults = applied.flatMap((grant) => this.#faultOf(grant))
    return { rules, isIncomplete: false, ...(faults.length > 0 && { error: aggregated(faults) }) }
  }

  /** Returns the rules of a role that is bound in a namespace; undefined if the role does not exist. */
  rulesOf(role: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    const kept = this.#find(role, namespace)
    return kept && rulesIn(kept)
  }
}

function rulesIn({ object }: CachedObject): readonly PolicyRule[] {
  return (object as ClusterRole).rules ?? []
}

function missingRole({ kind, name }: RoleRef): string {
  return `${kind.toLowerCase()}.${group} ${quote(name)} not found`
}

/** Joins errors, each once. */
function aggregated(faults: readonly string[]): string {
  const distinct = [...new Set(faults)]
  return distinct.length === 1 ? distinct[0]! : `[${distinct.join(', ')}]`
}

const reasons = new WeakMap<Grant, string>()

/** Returns why a request is allowed, in upstream's words. */
function reasonOf(grant: Grant): string {
  let reason = reasons.get(grant)
  if (reason === undefined) {
    const { binding, role, subject } = grant
    const name = binding.namespace === '' ? binding.name : `${binding.name}/${binding.namespace}`
    reason = `RBAC: allowed by ${binding.kind} ${quote(name)} of ${role.kind} ${quote(role.name)} to ${subjectText(subject)}`
    reasons.set(grant, reason)
  }
  return reason
}

function subjectText({ kind, name, namespace = '' }: Subject): string {
  return `${kind} ${quote(kind === 'ServiceAccount' ? `${name}/${namespace}` : name)}`
}
