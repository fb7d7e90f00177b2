import type { TokenAuthenticator, TokenUser } from './authenticator.js'

/** What all kinds of tokens together say about one. */
export interface TokenReviewResult {
  readonly user: TokenUser | undefined
  /** Why those refused it that know its kind. */
  readonly faults: readonly string[]
}

/** Asks one kind after the other, until one knows whom a token speaks for. Only returns a promise when one of them must wait. */
export function authenticateToken(
  kinds: readonly TokenAuthenticator[],
  token: string,
  audiences?: readonly string[],
): TokenReviewResult | Promise<TokenReviewResult> {
  return new TokenInquiry(kinds, token, audiences).next()
}

/** One token's way through the kinds. */
class TokenInquiry {
  readonly #kinds: readonly TokenAuthenticator[]
  readonly #token: string
  readonly #audiences: readonly string[] | undefined
  readonly #faults: string[] = []
  #index = 0

  constructor(kinds: readonly TokenAuthenticator[], token: string, audiences: readonly string[] | undefined) {
    this.#kinds = kinds
    this.#token = token
    this.#audiences = audiences
  }

  next(): TokenReviewResult | Promise<TokenReviewResult> {
    while (this.#index < this.#kinds.length) {
      const found = this.#ask(this.#kinds[this.#index++]!)
      if (found instanceof Promise) return this.#wait(found)
      if (found) return this.#outcome(found)
    }
    return this.#outcome(undefined)
  }

  #ask(kind: TokenAuthenticator): ReturnType<TokenAuthenticator['authenticate']> {
    try {
      return kind.authenticate(this.#token, this.#audiences)
    } catch (error) {
      this.#fail(error)
      return undefined
    }
  }

  async #wait(found: Promise<TokenUser | undefined>): Promise<TokenReviewResult> {
    const user = await found.catch((error: unknown) => this.#fail(error))
    return user ? this.#outcome(user) : this.next()
  }

  #fail(error: unknown): undefined {
    this.#faults.push(error instanceof Error ? error.message : String(error))
  }

  #outcome(user: TokenUser | undefined): TokenReviewResult {
    return { user, faults: this.#faults }
  }
}
