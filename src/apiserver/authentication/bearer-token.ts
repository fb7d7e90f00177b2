import type { ApiRequest } from '../request/request-context.js'
import type { RequestUser } from '../request/user.js'
import { type Authenticator, BadCredentials, type TokenAuthenticator } from './authenticator.js'
import { authenticateToken, type TokenReviewResult } from './token-authentication.js'

export const extraSpaceWarning =
  'the provided Authorization header contains extra space before the bearer token, and is ignored'

export interface Bearer {
  /** Empty if there is none. */
  readonly token: string
  /** There are several spaces before the token. It is ignored, with a warning. */
  readonly hasExtraSpace: boolean
}

const none: Bearer = { token: '', hasExtraSpace: false }

const usualScheme = 'Bearer '

/** Ignores headers of other schemes. */
export function bearerOf(request: ApiRequest): Bearer {
  const { authorization } = request.headers
  if (authorization === undefined) return none
  // The usual form.
  const token = authorization.startsWith(usualScheme) ? authorization.slice(usualScheme.length) : ''
  if (token !== '' && !token.includes(' ')) return { token, hasExtraSpace: false }
  return anyBearerOf(authorization)
}

function anyBearerOf(authorization: string): Bearer {
  const [scheme = '', token = '', ...rest] = authorization.trim().split(' ')
  if (scheme.toLowerCase() !== 'bearer') return none
  return token === '' && rest.length > 0 ? { token, hasExtraSpace: true } : { token, hasExtraSpace: false }
}

/** Tries each kind of token in turn. Rejects a token that is of no known kind. */
export function bearerTokenAuthenticator(kinds: readonly TokenAuthenticator[]): Authenticator {
  return {
    name: 'bearer token',
    authenticate(request) {
      const { token } = bearerOf(request)
      if (token === '') return undefined
      const result = authenticateToken(kinds, token)
      return result instanceof Promise ? result.then(userOf) : userOf(result)
    },
  }
}

function userOf({ user, errors }: TokenReviewResult): RequestUser {
  if (user) return user
  throw new BadCredentials(errors.length > 0 ? errors.join(', ') : 'unknown bearer token')
}
