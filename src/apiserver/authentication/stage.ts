import { unauthorized } from '../../api/errors.js'
import { type Logger, silentLogger } from '../../base/logging.js'
import type { ApiRequest, Exchange } from '../exchange.js'
import type { Stage } from '../stage.js'
import type { User } from '../user.js'
import type { Authenticator } from './authenticator.js'
import { bearerOf, extraSpaceWarning } from './bearer-token.js'

const authenticatedGroup = 'system:authenticated'

/** Who are you: the first authenticator that knows decides. Why the others did not goes into the log, never to the client. */
export function authenticationStage(authenticators: readonly Authenticator[], log: Logger = silentLogger): Stage {
  return {
    name: 'authentication',
    run(exchange) {
      const attempt = new Attempt(authenticators, exchange.request)
      if (bearerOf(exchange.request).hasExtraSpace) exchange.warnings.add(extraSpaceWarning)
      const found = attempt.next()
      if (!(found instanceof Promise)) return admit(exchange, found, attempt, log)
      return found.then((user) => admit(exchange, user, attempt, log))
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
  next(): User | undefined | Promise<User | undefined> {
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

  #ask(authenticator: Authenticator): User | undefined | Promise<User | undefined> {
    try {
      return authenticator.authenticate(this.#request)
    } catch (error) {
      this.faults.push(error)
      return undefined
    }
  }

  async #wait(found: Promise<User | undefined>): Promise<User | undefined> {
    const user = await found.catch((error: unknown) => void this.faults.push(error))
    return user ?? this.next()
  }
}

function admit(exchange: Exchange, user: User | undefined, { by, faults }: Attempt, log: Logger): void {
  if (!user) {
    const reasons = faults.map((fault) => (fault instanceof Error ? fault.message : String(fault)))
    log.info('a request was refused: nobody knows who makes it', {
      id: exchange.id,
      from: exchange.request.peer.address,
      reasons,
    })
    throw unauthorized()
  }
  exchange.user = withAuthenticatedGroup(user)
  exchange.decision = user.name
  exchange.reason = by
  // Nothing behind this stage has any use for the secret.
  if (exchange.request.headers.authorization !== undefined) delete exchange.request.headers.authorization
}

/** Users whose groups have been completed, so that each is so only once. */
const completed = new WeakMap<User, User>()

/** Whoever is known by name is in the group of those who are. */
export function withAuthenticatedGroup(user: User): User {
  const { groups, name } = user
  if (name === 'system:anonymous' || groups.includes(authenticatedGroup) || groups.includes('system:unauthenticated'))
    return user
  const known = completed.get(user) ?? { ...user, groups: [...groups, authenticatedGroup] }
  completed.set(user, known)
  return known
}
