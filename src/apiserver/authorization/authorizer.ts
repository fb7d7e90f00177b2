import type { PolicyRule } from '../../api/rbac/v1/role.js'
import type { FieldRequirement } from '../../api/selectors/field-selector.js'
import type { Requirement } from '../../api/selectors/label-requirement.js'
import type { RequestUser } from '../request/user.js'

/** What somebody wants to do, as rules about permission see it. */
export interface AuthorizationAttributes {
  readonly user: RequestUser
  readonly verb: string
  readonly isResource: boolean
  /** Of a request that is for no resource. */
  readonly path: string
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  /** Empty where no single object is meant. */
  readonly name: string
  /** To which part of a collection the request keeps, as far as that can be understood. */
  readonly fieldSelector?: readonly FieldRequirement[]
  readonly labelSelector?: readonly Requirement[]
}

export interface AuthorizationResult {
  readonly decision: 'allow' | 'deny' | 'no-opinion'
  /** As a person would say it; the client is told why it was refused. */
  readonly reason: string
  /** Who could not be asked, if that may have mattered. */
  readonly error?: string
}

/** Asks all authorizers of the server. */
export type Authorize = (attributes: AuthorizationAttributes) => AuthorizationResult | Promise<AuthorizationResult>

/** The same, without the reason. */
export type IsAllowed = (attributes: AuthorizationAttributes) => boolean | Promise<boolean>

/** One set of rules about who may do what. */
export interface Authorizer {
  readonly name: string
  /** Only returns a promise when it must wait. */
  authorize(attributes: AuthorizationAttributes): AuthorizationResult | Promise<AuthorizationResult>
  /** What somebody may do in a namespace, as far as this one can list it; missing where it grants nothing of its own. */
  rulesFor?(user: RequestUser, namespace: string): UserRules
}

export interface UserRules {
  readonly rules: readonly PolicyRule[]
  /** There may be more that is allowed. */
  readonly isIncomplete: boolean
  /** What stood in the way of knowing more. */
  readonly error?: string
}

export const noRules: UserRules = { rules: [], isIncomplete: false }

export const noOpinion: AuthorizationResult = { decision: 'no-opinion', reason: '' }

export function allow(reason: string): AuthorizationResult {
  return { decision: 'allow', reason }
}
