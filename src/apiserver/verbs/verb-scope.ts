import type { Clock } from '../../base/clock.js'
import type { Environment } from '../../base/environment.js'
import type { Scheme } from '../../schema/scheme.js'
import type { StrategyContext } from '../../schema/strategy.js'
import { formatTime } from '../../schema/values/time.js'
import type { Admission } from '../admission/admission.js'
import type { AuthorizationAttributes, AuthorizationResult } from '../authorization/authorizer.js'
import type { ObjectStore } from '../cache/object-store.js'
import type { ServedResource } from '../registry/served-resource.js'
import type { RequestContext } from '../request/request-context.js'
import type { Representation } from '../response/response.js'

/** What a verb works with: the request, its resource and object, and the server's dependencies. */
export interface VerbScope extends VerbDependencies {
  readonly context: RequestContext
  readonly resource: ServedResource
  readonly representation: Representation
  /** `''` for cluster-scoped resources, and for collections over all namespaces. */
  readonly namespace: string
  /** `''` for collections. */
  readonly name: string
  /** `''` for the object itself. */
  readonly subresource: string
}

/** The part of it that read verbs need. */
export type ReadScope = Pick<
  VerbScope,
  'context' | 'resource' | 'store' | 'environment' | 'representation' | 'namespace' | 'name'
>

export interface VerbDependencies {
  readonly environment: Environment
  readonly timestamps: Timestamps
  readonly store: ObjectStore
  readonly scheme: Scheme
  readonly admission: Admission
  readonly allowPrivileged: boolean
  /** Warnings for clients that create objects, by resource: `statefulsets.apps`. */
  readonly notices: ReadonlyMap<string, string>
  /** Calls the authorizers for other attributes than those of the request. */
  readonly authorize: (attributes: AuthorizationAttributes) => AuthorizationResult | Promise<AuthorizationResult>
  /** Aborted when the server closes: requests that wait end then. */
  readonly closing: AbortSignal
}

/** Formats the current time as objects contain it. Thousands of requests in the same second share the text. */
export class Timestamps {
  readonly #clock: Clock
  #second = Number.NaN
  #text = ''

  constructor(clock: Clock) {
    this.#clock = clock
  }

  now(): string {
    const second = Math.floor(this.#clock.now() / 1000)
    if (second !== this.#second) {
      this.#text = formatTime(second * 1000)
      this.#second = second
    }
    return this.#text
  }
}

export function strategyContext(scope: VerbScope): StrategyContext {
  return { time: scope.timestamps.now(), allowPrivileged: scope.allowPrivileged, user: scope.context.user }
}
