import type { KubeObject } from '../../api/kube-object.js'
import type { Draft } from '../../schema/infer.js'
import type { Exchange } from '../exchange.js'
import type { Companion } from '../registry/resource-hooks.js'
import type { ServedResource } from '../registry/served-resource.js'
import type { User } from '../user.js'

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
  readonly user: User
  readonly dryRun: boolean
  /** The options of the request: `CreateOptions`, `DeleteOptions` … as they were given. */
  readonly options: object
  /** Tells the client something beside the answer. */
  readonly warn: (message: string) => void
  /** Adds changes of other objects that are made together with this write, or not at all. For plugins that validate a CREATE or UPDATE. */
  readonly alsoWrite: (companion: Companion) => void
  /** Whose wish it is: for those who must mind its deadline or tell who looks at it later. Undefined where the server asks itself. */
  readonly exchange?: Exchange | undefined
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

  async mutate(request: AdmissionRequest): Promise<void> {
    if (await this.#mutateOnce(request, 0)) await this.#mutateOnce(request, 1)
  }

  async #mutateOnce(request: AdmissionRequest, round: Round): Promise<boolean> {
    let again = false
    for (const plugin of this.#mutating) {
      const answer = plugin.handles(request) ? plugin.mutate!(request, round) : undefined
      if (answer && (answer === true || (await answer))) again = true
    }
    return again
  }

  async validate(request: AdmissionRequest): Promise<void> {
    for (const plugin of this.#validating) {
      const waiting = plugin.handles(request) ? plugin.validate!(request) : undefined
      if (waiting) await waiting
    }
  }
}
