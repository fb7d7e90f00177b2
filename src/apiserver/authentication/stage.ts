import { unauthorized } from '../../api/errors.js'
import { type Logger, silentLogger } from '../../base/logging.js'
import type { ApiRequest, PipelineStage, RequestContext } from '../request/request-context.js'
import type { RequestUser } from '../request/user.js'
import type { Authenticator } from './authenticator.js'
import { bearerOf, extraSpaceWarning } from './bearer-token.js'

const authenticatedGroup = 'system:authenticated'

/** Runs the authenticators until one knows the user. Errors go to the log, never to the client. */
export function authenticationStage(
  authenticators: readonly Authenticator[],
  log: Logger = silentLogger,
): PipelineStage {
  return {
    name: 'authentication',
    run(context) {
      const attempt = new AuthenticationAttempt(authenticators, context.request)
      if (bearerOf(context.request).hasExtraSpace) context.warnings.add(extraSpaceWarning)
      const found = attempt.next()
      if (!(found instanceof Promise)) return admit(context, found, attempt, log)
      return found.then((user) => admit(context, user, attempt, log))
    },
  }
}

/** The authentication of one request. */
class AuthenticationAttempt {
  readonly errors: unknown[] = []
  by = ''
  readonly #authenticators: readonly Authenticator[]
  readonly #request: ApiRequest
  #index = 0

  constructor(authenticators: readonly Authenticator[], request: ApiRequest) {
    this.#authenticators = authenticators
    this.#request = request
  }

  /** Continues where it stopped, until an authenticator knows the user or returns a promise. */
  next(): RequestUser | undefined | Promise<RequestUser | undefined> {
    while (this.#index < this.#authenticators.length) {
      const authenticator = this.#authenticators[this.#index++]!
      if (authenticator.isLastResort && this.errors.length > 0) continue
      this.by = authenticator.name
      const found = this.#authenticate(authenticator)
      if (found instanceof Promise) return this.#wait(found)
      if (found) return found
    }
    return undefined
  }

  #authenticate(authenticator: Authenticator): RequestUser | undefined | Promise<RequestUser | undefined> {
    try {
      return authenticator.authenticate(this.#request)
    } catch (error) {
      this.errors.push(error)
      return undefined
    }
  }

  async #wait(found: Promise<RequestUser | undefined>): Promise<RequestUser | undefined> {
    const user = await found.catch((error: unknown) => void this.errors.push(error))
    return user ?? this.next()
  }
}

function admit(
  context: RequestContext,
  user: RequestUser | undefined,
  { by, errors }: AuthenticationAttempt,
  log: Logger,
): void {
  if (!user) {
    const reasons = errors.map((error) => (error instanceof Error ? error.message : String(error)))
    log.info('authentication failed', {
      id: context.id,
      from: context.request.peer.address,
      reasons,
    })
    throw unauthorized()
  }
  context.user = withAuthenticatedGroup(user)
  context.decision = user.name
  context.reason = by
  // No later stage needs the secret.
  if (context.request.headers.authorization !== undefined) delete context.request.headers.authorization
}

/** Users with the added group, so that each is copied once. */
const withGroup = new WeakMap<RequestUser, RequestUser>()

/** Adds the group of all authenticated users. */
export function withAuthenticatedGroup(user: RequestUser): RequestUser {
  const { groups, name } = user
  if (name === 'system:anonymous' || groups.includes(authenticatedGroup) || groups.includes('system:unauthenticated'))
    return user
  const known = withGroup.get(user) ?? { ...user, groups: [...groups, authenticatedGroup] }
  withGroup.set(user, known)
  return known
}
