import type { User } from '../user.js'

/** What somebody wants to do, as rules about permission see it. */
export interface Attributes {
  readonly user: User
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
}

export interface Decision {
  readonly verdict: 'allow' | 'deny' | 'no-opinion'
  /** As a person would say it; the client is told why it was refused. */
  readonly reason: string
}

/** One set of rules about who may do what. */
export interface Authorizer {
  readonly name: string
  /** Only returns a promise when it must wait. */
  authorize(attributes: Attributes): Decision | Promise<Decision>
}

export const noOpinion: Decision = { verdict: 'no-opinion', reason: '' }

export function allow(reason: string): Decision {
  return { verdict: 'allow', reason }
}
