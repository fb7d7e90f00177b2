import type { TokenAuthenticator, TokenUser } from './authenticator.js'

/** The result of all token authenticators for one token. */
export interface TokenReviewResult {
  readonly user: TokenUser | undefined
  /** The errors of the authenticators that know this kind of token. */
  readonly errors: readonly string[]
}

/** Tries one kind after the other, until one knows the user. Returns a promise only if one of them does. */
export function authenticateToken(
  kinds: readonly TokenAuthenticator[],
  token: string,
  audiences?: readonly string[],
): TokenReviewResult | Promise<TokenReviewResult> {
  return new TokenAttempt(kinds, token, audiences).next()
}

/** The authentication of one token. */
class TokenAttempt {
  readonly #kinds: readonly TokenAuthenticator[]
  readonly #token: string
  readonly #audiences: readonly string[] | undefined
  readonly #errors: string[] = []
  #index = 0

  constructor(kinds: readonly TokenAuthenticator[], token: string, audiences: readonly string[] | undefined) {
    this.#kinds = kinds
    this.#token = token
    this.#audiences = audiences
  }

  next(): TokenReviewResult | Promise<TokenReviewResult> {
    while (this.#index < this.#kinds.length) {
      const found = this.#authenticate(this.#kinds[this.#index++]!)
      if (found instanceof Promise) return this.#wait(found)
      if (found) return this.#result(found)
    }
    return this.#result(undefined)
  }

  #authenticate(kind: TokenAuthenticator): ReturnType<TokenAuthenticator['authenticate']> {
    try {
      return kind.authenticate(this.#token, this.#audiences)
    } catch (error) {
      this.#fail(error)
      return undefined
    }
  }

  async #wait(found: Promise<TokenUser | undefined>): Promise<TokenReviewResult> {
    const user = await found.catch((error: unknown) => this.#fail(error))
    return user ? this.#result(user) : this.next()
  }

  #fail(error: unknown): undefined {
    this.#errors.push(error instanceof Error ? error.message : String(error))
  }

  #result(user: TokenUser | undefined): TokenReviewResult {
    return { user, errors: this.#errors }
  }
}
