import { bootstrapTokens, tokenEnd, tokenValue } from '../../api/core/v1/secret/bootstrap-token.js'
import type { Secret } from '../../api/core/v1/secret.js'
import type { Clock } from '../../base/clock.js'
import type { RequestUser } from '../request/user.js'
import { BadCredentials, type TokenAuthenticator } from './authenticator.js'
import type { CredentialObjects } from './credential-objects.js'
import { isSameSecret } from './secret-digest.js'

const form = /^([a-z0-9]{6})\.([a-z0-9]{16})$/
const extraGroup = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/

/** Authenticates the tokens by which new nodes join. */
export function bootstrapTokenAuthenticator(objects: CredentialObjects, clock: Clock): TokenAuthenticator {
  return {
    name: 'bootstrap token',
    authenticate(token) {
      const [, id, secret] = form.exec(token) ?? []
      if (id === undefined || secret === undefined) return undefined
      const stored = objects.find('secrets', bootstrapTokens.namespace, bootstrapTokens.namePrefix + id) as
        | Secret
        | undefined
      if (!stored || stored.metadata.deletionTimestamp !== undefined) return undefined
      return userOf(stored, { id, secret, now: clock.now() })
    },
  }
}

interface GivenToken {
  readonly id: string
  readonly secret: string
  readonly now: number
}

/** Returns undefined if the token does not match the secret; throws if it matches, and is expired or not for authentication. */
function userOf(stored: Secret, { id, secret, now }: GivenToken): RequestUser | undefined {
  const value = (name: string) => tokenValue(stored, name)
  if (stored.type !== bootstrapTokens.type || value('token-id') !== id || !isSameSecret(value('token-secret'), secret))
    return undefined
  if ((tokenEnd(stored) ?? Number.POSITIVE_INFINITY) <= now) throw new BadCredentials('the bootstrap token has expired')
  if (value('usage-bootstrap-authentication') !== 'true')
    throw new BadCredentials('the bootstrap token is not for authentication')
  return { name: `system:bootstrap:${id}`, uid: '', groups: groupsOf(value('auth-extra-groups')), extra: {} }
}

function groupsOf(extra: string): readonly string[] {
  const groups = extra === '' ? [] : extra.split(',')
  const bad = groups.find((group) => !extraGroup.test(group))
  if (bad !== undefined) throw new BadCredentials('the bootstrap token has an invalid group')
  return [...new Set(['system:bootstrappers', ...groups])].sort()
}
