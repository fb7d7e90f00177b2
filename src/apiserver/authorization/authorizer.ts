import type { PolicyRule } from '../../api/rbac/v1/role.js'
import type { FieldRequirement } from '../../api/selectors/field-selector.js'
import type { Requirement } from '../../api/selectors/label-requirement.js'
import type { RequestUser } from '../request/user.js'

/** A request, as authorizers see it. */
export interface AuthorizationAttributes {
  readonly user: RequestUser
  readonly verb: string
  readonly isResource: boolean
  /** The path of a non-resource request. */
  readonly path: string
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  /** Empty for requests for a collection. */
  readonly name: string
  /** The valid requirements of the request's selectors. */
  readonly fieldSelector?: readonly FieldRequirement[]
  readonly labelSelector?: readonly Requirement[]
}

export interface AuthorizationResult {
  readonly decision: 'allow' | 'deny' | 'no-opinion'
  /** A reason for people. The client of a denied request gets it. */
  readonly reason: string
  /** The errors of authorizers that failed, if they may have changed the decision. */
  readonly error?: string
}

/** Runs all authorizers of the server. */
export type Authorize = (attributes: AuthorizationAttributes) => AuthorizationResult | Promise<AuthorizationResult>

/** The same, without the reason. */
export type IsAllowed = (attributes: AuthorizationAttributes) => boolean | Promise<boolean>

/** One authorization mode. */
export interface Authorizer {
  readonly name: string
  /** Returns a promise only if it must wait. */
  authorize(attributes: AuthorizationAttributes): AuthorizationResult | Promise<AuthorizationResult>
  /** Returns the permissions of a user in a namespace, as far as this authorizer can list them. */
  rulesFor?(user: RequestUser, namespace: string): UserRules
}

export interface UserRules {
  readonly rules: readonly PolicyRule[]
  /** More may be allowed. */
  readonly isIncomplete: boolean
  /** Why the list is incomplete. */
  readonly error?: string
}

export const noRules: UserRules = { rules: [], isIncomplete: false }

export const noOpinion: AuthorizationResult = { decision: 'no-opinion', reason: '' }

export function allow(reason: string): AuthorizationResult {
  return { decision: 'allow', reason }
}
