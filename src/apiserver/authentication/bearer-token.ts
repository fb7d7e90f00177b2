import type { ApiRequest } from '../request/request-context.js'
import type { RequestUser } from '../request/user.js'
import { type Authenticator, BadCredentials, type TokenAuthenticator } from './authenticator.js'
import { authenticateToken, type TokenReviewResult } from './token-authentication.js'

export const extraSpaceWarning =
  'the provided Authorization header contains extra space before the bearer token, and is ignored'

export interface Bearer {
  /** Empty where there is none. */
  readonly token: string
  /** The token was written in a way that is not accepted, and the client should know. */
  readonly hasExtraSpace: boolean
}

const none: Bearer = { token: '', hasExtraSpace: false }

const usualScheme = 'Bearer '

/** Headers of another scheme count as none. */
export function bearerOf(request: ApiRequest): Bearer {
  const { authorization } = request.headers
  if (authorization === undefined) return none
  // As nearly everybody writes it.
  const token = authorization.startsWith(usualScheme) ? authorization.slice(usualScheme.length) : ''
  if (token !== '' && !token.includes(' ')) return { token, hasExtraSpace: false }
  return anyBearerOf(authorization)
}

function anyBearerOf(authorization: string): Bearer {
  const [scheme = '', token = '', ...rest] = authorization.trim().split(' ')
  if (scheme.toLowerCase() !== 'bearer') return none
  return token === '' && rest.length > 0 ? { token, hasExtraSpace: true } : { token, hasExtraSpace: false }
}

/** Asks each kind of token in turn. A token that none of them knows is a bad one. */
export function bearerTokenAuthenticator(kinds: readonly TokenAuthenticator[]): Authenticator {
  return {
    name: 'bearer token',
    authenticate(request) {
      const { token } = bearerOf(request)
      if (token === '') return undefined
      const outcome = authenticateToken(kinds, token)
      return outcome instanceof Promise ? outcome.then(userOf) : userOf(outcome)
    },
  }
}

function userOf({ user, faults }: TokenReviewResult): RequestUser {
  if (user) return user
  throw new BadCredentials(faults.length > 0 ? faults.join(', ') : 'the bearer token is not known')
}
