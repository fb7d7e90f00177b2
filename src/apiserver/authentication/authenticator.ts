import type { ApiRequest } from '../request/request-context.js'
import type { RequestUser } from '../request/user.js'

/** One way of telling who makes a request. */
export interface Authenticator {
  readonly name: string
  /**
   * Undefined where the request shows nothing that this one looks for. Throws where it does and that proves nothing; the others
   * are asked all the same. Only returns a promise when it must wait.
   */
  authenticate(request: ApiRequest): RequestUser | undefined | Promise<RequestUser | undefined>
  /** Is asked only if all others found nothing: bad credentials are worse than none. */
  readonly isLastResort?: boolean
}

/** Whom a token speaks for. */
export interface TokenUser extends RequestUser {
  /** Those of the audiences asked for that it is meant for. Undefined where its kind knows of none: it is for this server. */
  readonly audiences?: readonly string[]
}

/** One kind of bearer token. */
export interface TokenAuthenticator {
  readonly name: string
  /**
   * Undefined where this is no token of its kind. Throws where it is, and is not valid; the others are asked all the same. A
   * token must be meant for one of the audiences: this server's own, unless told.
   */
  authenticate(token: string, audiences?: readonly string[]): TokenUser | undefined | Promise<TokenUser | undefined>
}

/** Credentials that prove nothing. The message is for the log; the client learns only that it is not known. No secrets in it. */
export class BadCredentials extends Error {
  override readonly name = 'BadCredentials'
}
