import type { Clock } from '../../../base/clock.js'
import type { JsonObject } from '../../../schema/declaration.js'
import type { OutgoingClient } from '../../outgoing/outgoing-client.js'
import type { RequestUser } from '../../request/user.js'
import { BadCredentials, type TokenAuthenticator } from '../authenticator.js'
import { registeredClaims, tokenTimeError } from '../jwt/registered-claims.js'
import { looksSigned, parseToken, type SignedToken, TokenError } from '../jwt/signed-token.js'
import { verifySignature } from '../jwt/verify.js'
import { ProviderKeys } from './provider-keys.js'

export interface OpenIdOptions {
  readonly issuer: string
  readonly clientId: string
  readonly usernameClaim: string
  /** If it is left out: the issuer, for claims other than `email`. `-`: none. */
  readonly usernamePrefix?: string
  readonly groupsClaim?: string
  readonly groupsPrefix?: string
  readonly requiredClaims: Readonly<Record<string, string>>
  readonly algorithms: readonly string[]
}

export interface OpenIdAuthenticatorDependencies extends OpenIdOptions {
  readonly client: OutgoingClient
  readonly clock: Clock
}

/** Authenticates tokens of one OpenID Connect provider. Ignores tokens of other issuers. */
export function openIdAuthenticator(dependencies: OpenIdAuthenticatorDependencies): TokenAuthenticator {
  const keys = new ProviderKeys(dependencies.issuer, dependencies.client, dependencies.clock)
  return {
    name: 'OpenID Connect',
    authenticate(text) {
      const token = tokenOf(text, dependencies.issuer)
      return token && identify(token, keys, dependencies)
    },
  }
}

function tokenOf(text: string, issuer: string): SignedToken | undefined {
  if (!looksSigned(text)) return undefined
  try {
    const token = parseToken(text)
    return token.claims.iss === issuer ? token : undefined
  } catch (error) {
    if (error instanceof TokenError) return undefined // not a token
    throw error
  }
}

async function identify(
  token: SignedToken,
  keys: ProviderKeys,
  dependencies: OpenIdAuthenticatorDependencies,
): Promise<RequestUser> {
  const { keyId } = token
  const isKnown = keys.known.length > 0 && (keyId === '' || keys.known.some(({ id }) => id === keyId))
  if (!isKnown) await keys.refresh()
  try {
    verifySignature(token, keys.known, dependencies.algorithms)
  } catch (error) {
    // A provider that does not name its keys may have changed them.
    if (keyId !== '' || !(error instanceof TokenError) || !keys.refresh()) throw error
    await keys.refresh()
    verifySignature(token, keys.known, dependencies.algorithms)
  }
  checkClaims(token.claims, dependencies)
  return userOf(token.claims, dependencies)
}

function checkClaims(claims: JsonObject, { clientId, requiredClaims, clock }: OpenIdAuthenticatorDependencies): void {
  const registered = registeredClaims(claims)
  if (!registered.audiences.includes(clientId)) throw new BadCredentials('the OpenID token is for another client')
  if (registered.expires === undefined) throw new BadCredentials('the OpenID token has no expiration time')
  const error = tokenTimeError(registered, clock.now())
  if (error) throw new BadCredentials(`the OpenID token ${error}`)
  for (const [name, value] of Object.entries(requiredClaims))
    if (claims[name] !== value) throw new BadCredentials(`the OpenID token does not have the required value of ${name}`)
}

function userOf(claims: JsonObject, options: OpenIdOptions): RequestUser {
  const { usernameClaim, groupsClaim, groupsPrefix = '' } = options
  const name = claims[usernameClaim]
  if (typeof name !== 'string' || name === '') throw new BadCredentials('the OpenID token has no user name')
  const { email_verified: verified } = claims
  if (usernameClaim === 'email' && verified !== undefined && verified !== true)
    throw new BadCredentials('the e-mail address in the OpenID token is not verified')
  const groups = groupsClaim === undefined ? [] : groupsOf(claims[groupsClaim])
  return {
    name: `${prefixOf(options)}${name}`,
    uid: '',
    groups: groups.map((group) => `${groupsPrefix}${group}`),
    extra:
      typeof claims.jti === 'string' ? { 'authentication.kubernetes.io/credential-id': [`JTI=${claims.jti}`] } : {},
  }
}

/** The prefix keeps users of the provider apart from users of the cluster. */
function prefixOf({ usernamePrefix, usernameClaim, issuer }: OpenIdOptions): string {
  if (usernamePrefix === '-') return ''
  return usernamePrefix ?? (usernameClaim === 'email' ? '' : `${issuer}#`)
}

function groupsOf(value: unknown): readonly string[] {
  if (value === undefined || value === null) return []
  const groups = [value].flat()
  if (groups.some((group) => typeof group !== 'string'))
    throw new BadCredentials('the groups in the OpenID token are malformed')
  return groups as string[]
}
