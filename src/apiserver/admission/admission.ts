import type { KubeObject } from '../../api/kube-object.js'
import type { Draft } from '../../schema/infer.js'
import type { Companion } from '../registry/resource-hooks.js'
import type { ServedResource } from '../registry/served-resource.js'
import type { RequestContext } from '../request/request-context.js'
import type { RequestUser } from '../request/user.js'

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'

/** A write that is about to happen, as the plugins see it. Objects are in the version in which they are stored. */
export interface AdmissionRequest {
  readonly operation: Operation
  readonly resource: ServedResource
  readonly subresource: string
  readonly namespace: string
  /** `''` where a name is yet to be generated. */
  readonly name: string
  /** What is to be stored; undefined on DELETE. Mutating plugins change it in place: nobody else holds it yet. */
  readonly object: Draft<KubeObject> | undefined
  /** What is there; undefined on CREATE. */
  readonly old: KubeObject | undefined
  readonly user: RequestUser
  readonly dryRun: boolean
  /** The options of the request: `CreateOptions`, `DeleteOptions` … as they were given. */
  readonly options: object
  /** Tells the client something beside the answer. */
  readonly warn: (message: string) => void
  /** Adds changes of other objects that are made together with this write, or not at all. For plugins that validate a CREATE or UPDATE. */
  readonly alsoWrite: (companion: Companion) => void
  /** Whose wish it is: for those who must mind its deadline or tell who looks at it later. Undefined where the server asks itself. */
  readonly context?: RequestContext | undefined
}

/** Everybody is asked a second time where somebody from outside has changed the object; never a third. */
export type Round = 0 | 1

/** One opinion on what should be stored. Refuses by throwing an `ApiError`. */
export interface AdmissionPlugin {
  readonly name: string
  readonly handles: (request: AdmissionRequest) => boolean
  /** Changes `request.object`. True: others must look at it again, because those who came before could not know of this change. */
  readonly mutate?: (request: AdmissionRequest, round: Round) => void | boolean | Promise<void> | Promise<boolean>
  /** Looks at what has become of it, and changes nothing. */
  readonly validate?: (request: AdmissionRequest) => void | Promise<void>
}

/** The plugins in their order: all that mutate, later all that validate. One refusal ends the request. */
export class Admission {
  readonly #mutating: readonly AdmissionPlugin[]
  readonly #validating: readonly AdmissionPlugin[]

  constructor(plugins: readonly AdmissionPlugin[]) {
    this.#mutating = plugins.filter(({ mutate }) => mutate)
    this.#validating = plugins.filter(({ validate }) => validate)
  }

  /** Runs both phases, for requests that nothing else checks in between. */
  async admit(request: AdmissionRequest): Promise<void> {
    await this.mutate(request)
    await this.validate(request)
  }

  /** Gives a promise only where a plugin has to wait: most decide at once. */
  mutate(request: AdmissionRequest): void | Promise<void> {
    return this.#mutateFrom(request, { first: 0, round: 0, again: false })
  }

  #mutateFrom(request: AdmissionRequest, { first, round, again }: Progress): void | Promise<void> {
    let isChanged = again
    for (let place = first; place < this.#mutating.length; place++) {
      const plugin = this.#mutating[place]!
      const answer = plugin.handles(request) ? plugin.mutate!(request, round) : undefined
      if (answer instanceof Promise)
        return (answer as Promise<unknown>).then((answered) =>
          this.#mutateFrom(request, { first: place + 1, round, again: isChanged || answered === true }),
        )
      if (answer) isChanged = true
    }
    if (isChanged && round === 0) return this.#mutateFrom(request, { first: 0, round: 1, again: false })
  }

  /** A promise only where a plugin has to wait, as of `mutate`. */
  validate(request: AdmissionRequest): void | Promise<void> {
    return this.#validateFrom(request, 0)
  }

  #validateFrom(request: AdmissionRequest, first: number): void | Promise<void> {
    for (let place = first; place < this.#validating.length; place++) {
      const plugin = this.#validating[place]!
      const waiting = plugin.handles(request) ? plugin.validate!(request) : undefined
      if (waiting) return waiting.then(() => this.#validateFrom(request, place + 1))
    }
  }
}

/** How far the plugins have come: who is asked next, in which round, and whether there must be another one. */
interface Progress {
  readonly first: number
  readonly round: Round
  readonly again: boolean
}
