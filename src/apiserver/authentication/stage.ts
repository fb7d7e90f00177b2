import { unauthorized } from '../../api/errors.js'
import { type Logger, silentLogger } from '../../base/logging.js'
import type { ApiRequest, RequestContext } from '../request/request-context.js'
import type { PipelineStage } from '../request/stage.js'
import type { RequestUser } from '../request/user.js'
import type { Authenticator } from './authenticator.js'
import { bearerOf, extraSpaceWarning } from './bearer-token.js'

const authenticatedGroup = 'system:authenticated'

/** Who are you: the first authenticator that knows decides. Why the others did not goes into the log, never to the client. */
export function authenticationStage(
  authenticators: readonly Authenticator[],
  log: Logger = silentLogger,
): PipelineStage {
  return {
    name: 'authentication',
    run(context) {
      const attempt = new Attempt(authenticators, context.request)
      if (bearerOf(context.request).hasExtraSpace) context.warnings.add(extraSpaceWarning)
      const found = attempt.next()
      if (!(found instanceof Promise)) return admit(context, found, attempt, log)
      return found.then((user) => admit(context, user, attempt, log))
    },
  }
}

/** One request's way through the chain. */
class Attempt {
  readonly faults: unknown[] = []
  by = ''
  readonly #authenticators: readonly Authenticator[]
  readonly #request: ApiRequest
  #index = 0

  constructor(authenticators: readonly Authenticator[], request: ApiRequest) {
    this.#authenticators = authenticators
    this.#request = request
  }

  /** Goes on where it stopped, until somebody knows the user or must wait for an answer. */
  next(): RequestUser | undefined | Promise<RequestUser | undefined> {
    while (this.#index < this.#authenticators.length) {
      const authenticator = this.#authenticators[this.#index++]!
      if (authenticator.isLastResort && this.faults.length > 0) continue
      this.by = authenticator.name
      const found = this.#ask(authenticator)
      if (found instanceof Promise) return this.#wait(found)
      if (found) return found
    }
    return undefined
  }

  #ask(authenticator: Authenticator): RequestUser | undefined | Promise<RequestUser | undefined> {
    try {
      return authenticator.authenticate(this.#request)
    } catch (error) {
      this.faults.push(error)
      return undefined
    }
  }

  async #wait(found: Promise<RequestUser | undefined>): Promise<RequestUser | undefined> {
    const user = await found.catch((error: unknown) => void this.faults.push(error))
    return user ?? this.next()
  }
}

function admit(context: RequestContext, user: RequestUser | undefined, { by, faults }: Attempt, log: Logger): void {
  if (!user) {
    const reasons = faults.map((fault) => (fault instanceof Error ? fault.message : String(fault)))
    log.info('a request was refused: nobody knows who makes it', {
      id: context.id,
      from: context.request.peer.address,
      reasons,
    })
    throw unauthorized()
  }
  context.user = withAuthenticatedGroup(user)
  context.decision = user.name
  context.reason = by
  // Nothing behind this stage has any use for the secret.
  if (context.request.headers.authorization !== undefined) delete context.request.headers.authorization
}

/** Users whose groups have been completed, so that each is so only once. */
const completed = new WeakMap<RequestUser, RequestUser>()

/** Whoever is known by name is in the group of those who are. */
export function withAuthenticatedGroup(user: RequestUser): RequestUser {
  const { groups, name } = user
  if (name === 'system:anonymous' || groups.includes(authenticatedGroup) || groups.includes('system:unauthenticated'))
    return user
  const known = completed.get(user) ?? { ...user, groups: [...groups, authenticatedGroup] }
  completed.set(user, known)
  return known
}
