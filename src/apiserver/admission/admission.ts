import type { KubeObject } from '../../api/kube-object.js'
import type { Draft } from '../../schema/infer.js'
import type { Companion } from '../registry/resource-hooks.js'
import type { ServedResource } from '../registry/served-resource.js'
import type { RequestContext } from '../request/request-context.js'
import type { RequestUser } from '../request/user.js'

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'

/**
 * A pending write, as admission plugins see it. Objects are in the version in which they are stored. `T` is the kind of the object, for
 * plugins that handle one kind. `request.ts` builds it.
 */
export interface AdmissionRequest<T extends KubeObject = KubeObject, DraftOfT = Draft<T>> {
  readonly operation: Operation
  readonly resource: ServedResource
  readonly subresource: string
  readonly namespace: string
  /** `''` if the name is still to be generated. */
  readonly name: string
  /** The object to be stored; undefined on DELETE. Mutating plugins change it in place: nothing else refers to it yet. */
  readonly object: DraftOfT | undefined
  /** The stored object; undefined on CREATE. */
  readonly old: T | undefined
  readonly user: RequestUser
  readonly dryRun: boolean
  /** The options of the request as the client gave them: `CreateOptions`, `DeleteOptions` … */
  readonly options: object
  /** Adds a warning to the response. */
  readonly warn: (message: string) => void
  /** Adds changes of other objects to the transaction of this write. For plugins that validate a CREATE or UPDATE. */
  readonly alsoWrite: (companion: Companion) => void
  /** The request of the client, for its deadline and its audit annotations. Undefined if the server itself makes the request. */
  readonly context?: RequestContext | undefined
}

/** Mutating plugins run a second time if a webhook has changed the object; never a third time. */
export type Round = 0 | 1

/** Changes or checks requests. Rejects a request by throwing an `ApiError`. */
export interface AdmissionPlugin<Request = AdmissionRequest> {
  readonly name: string
  /** Whether the plugin runs for this request. */
  handles(request: AdmissionRequest): boolean
  /** Changes `request.object`. Returns true if the other mutating plugins must run again, because they could not foresee the change. */
  mutate?(request: Request, round: Round): void | boolean | Promise<void> | Promise<boolean>
  /** Checks the final object and does not change it. */
  validate?(request: Request): void | Promise<void>
}

/** Runs plugins in their order: first all that mutate, later all that validate. One rejection ends the request. */
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

  /** Returns a promise only if a plugin does: most plugins decide at once. */
  mutate(request: AdmissionRequest): void | Promise<void> {
    return this.#mutateFrom(request, { first: 0, round: 0, again: false })
  }

  #mutateFrom(request: AdmissionRequest, { first, round, again }: MutationProgress): void | Promise<void> {
    let isChanged = again
    for (let index = first; index < this.#mutating.length; index++) {
      const plugin = this.#mutating[index]!
      const result = plugin.handles(request) ? plugin.mutate!(request, round) : undefined
      if (result instanceof Promise)
        return (result as Promise<unknown>).then((settled) =>
          this.#mutateFrom(request, { first: index + 1, round, again: isChanged || settled === true }),
        )
      if (result) isChanged = true
    }
    if (isChanged && round === 0) return this.#mutateFrom(request, { first: 0, round: 1, again: false })
  }

  /** Returns a promise only if a plugin does. */
  validate(request: AdmissionRequest): void | Promise<void> {
    return this.#validateFrom(request, 0)
  }

  #validateFrom(request: AdmissionRequest, first: number): void | Promise<void> {
    for (let index = first; index < this.#validating.length; index++) {
      const plugin = this.#validating[index]!
      const pending = plugin.handles(request) ? plugin.validate!(request) : undefined
      if (pending) return pending.then(() => this.#validateFrom(request, index + 1))
    }
  }
}

/** The next plugin to run, the round, and whether another round must follow. */
interface MutationProgress {
  readonly first: number
  readonly round: Round
  readonly again: boolean
}
