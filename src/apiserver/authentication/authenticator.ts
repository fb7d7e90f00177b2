import type { ApiRequest } from '../request/request-context.js'
import type { RequestUser } from '../request/user.js'

/** One method of authentication. */
export interface Authenticator {
  readonly name: string
  /**
   * Returns undefined if the request has no credentials of this kind. Throws if it has, and they are invalid; the other authenticators
   * still run. Returns a promise only if it must wait.
   */
  authenticate(request: ApiRequest): RequestUser | undefined | Promise<RequestUser | undefined>
  /** Runs only if no other authenticator found invalid credentials. */
  readonly isLastResort?: boolean
}

/** The user of a token. */
export interface TokenUser extends RequestUser {
  /** The requested audiences that the token is valid for. Undefined if its kind has no audiences: it is valid for this server. */
  readonly audiences?: readonly string[]
}

/** Authenticates one kind of bearer tokens. */
export interface TokenAuthenticator {
  readonly name: string
  /**
   * Returns undefined if the token is of another kind. Throws if it is of this kind and invalid; the other authenticators still run. A token must
   * be valid for one of the audiences, by default for those of this server.
   */
  authenticate(token: string, audiences?: readonly string[]): TokenUser | undefined | Promise<TokenUser | undefined>
}

/** Invalid credentials. The message goes to the log only, and contains no secrets; the client gets a plain 401. */
export class BadCredentials extends Error {
  override readonly name = 'BadCredentials'
}
