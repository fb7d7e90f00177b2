import { legacyIssuer } from '../../../api/core/v1/secret/service-account-token.js'
import type { Clock } from '../../../base/clock.js'
import { BadCredentials, type TokenAuthenticator, type TokenUser } from '../authenticator.js'
import type { CredentialObjects } from '../credential-objects.js'
import { registeredClaims } from '../jwt/registered-claims.js'
import { looksSigned, parseToken, type SignedToken, TokenError } from '../jwt/signed-token.js'
import { type VerifyingKey, verifySignature } from '../jwt/verify.js'
import { SecretDigests } from '../secret-digest.js'
import { boundToken, type CheckedToken } from './bound-claims.js'
import { legacyToken } from './legacy-claims.js'
import type { KeptSecret } from './token-uses.js'

export interface ServiceAccountTokenDependencies {
  readonly clock: Clock
  readonly objects: CredentialObjects
  readonly keys: readonly VerifyingKey[]
  readonly issuers: readonly string[]
  /** The audiences of this server. */
  readonly audiences: readonly string[]
  /** Called at each use of a token that is stored in a secret. */
  readonly used?: (secret: KeptSecret) => void
}

/** Upper bound of cached tokens with a verified signature: about as many as pods that call one server. */
const maxCachedTokens = 10_000

/** Authenticates tokens of service accounts, bound and legacy. Ignores tokens of other issuers. */
export function serviceAccountAuthenticator(dependencies: ServiceAccountTokenDependencies): TokenAuthenticator {
  return new ServiceAccountTokens(dependencies)
}

class ServiceAccountTokens implements TokenAuthenticator {
  readonly name = 'service account'
  readonly #dependencies: ServiceAccountTokenDependencies
  readonly #digests = new SecretDigests()
  readonly #checked = new Map<string, CheckedToken>()

  constructor(dependencies: ServiceAccountTokenDependencies) {
    this.#dependencies = dependencies
  }

  authenticate(token: string, audiences?: readonly string[]): TokenUser | undefined | Promise<TokenUser> {
    if (!looksSigned(token)) return undefined
    const checked = this.#known(token)
    if (!checked) return undefined
    const { objects, clock } = this.#dependencies
    const user = this.#meantFor(checked, audiences)
    const fault = checked.fault(objects, clock.now())
    if (fault === undefined) return this.#used(checked, user)
    // The watch cache may lag behind the store.
    const waiting = objects.current()
    if (!waiting) throw new BadCredentials(fault)
    return waiting.then(() => {
      const stillFault = checked.fault(objects, clock.now())
      if (stillFault !== undefined) throw new BadCredentials(stillFault)
      return this.#used(checked, user)
    })
  }

  #used({ secret }: CheckedToken, user: TokenUser): TokenUser {
    if (secret) this.#dependencies.used?.(secret)
    return user
  }

  #meantFor({ user, audiences }: CheckedToken, wanted: readonly string[] | undefined): TokenUser {
    const targets = wanted ?? this.#dependencies.audiences
    const met = targets.filter((target) => audiences.includes(target))
    if (met.length === 0)
      throw new BadCredentials(
        `token audiences ${listed(audiences)} is invalid for the target audiences ${listed(targets)}`,
      )
    return wanted ? { ...user, audiences: met } : user
  }

  /** Returns undefined if another issuer signed the token. */
  #known(token: string): CheckedToken | undefined {
    const key = this.#digests.keyOf(token)
    const known = this.#checked.get(key) ?? this.#check(token)
    if (!known) return undefined
    this.#checked.delete(key) // most recently used last
    this.#checked.set(key, known)
    if (this.#checked.size > maxCachedTokens) this.#checked.delete(this.#checked.keys().next().value!)
    return known
  }

  #check(text: string): CheckedToken | undefined {
    const token = readable(text)
    const { issuers, keys, audiences } = this.#dependencies
    const issuer = token?.claims.iss
    if (!token || typeof issuer !== 'string' || (issuer !== legacyIssuer && !issuers.includes(issuer))) return undefined
    verifySignature(token, keys)
    const registered = registeredClaims(token.claims)
    return issuer === legacyIssuer
      ? legacyToken(token.claims, registered, { token: text, audiences })
      : boundToken(token.claims, registered)
  }
}

/** Returns undefined if the text is not a token. */
function readable(text: string): SignedToken | undefined {
  try {
    return parseToken(text)
  } catch (error) {
    if (error instanceof TokenError) return undefined
    throw error
  }
}

/** `["one" "two"]` */
function listed(names: readonly string[]): string {
  return `[${names.map((name) => JSON.stringify(name)).join(' ')}]`
}
