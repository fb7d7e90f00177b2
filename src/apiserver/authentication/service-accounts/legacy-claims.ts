import { invalidSinceLabel, legacyClaimPrefix as prefix } from '../../../api/core/v1/secret/service-account-token.js'
import type { Secret } from '../../../api/core/v1/secret.js'
import type { JsonObject } from '../../../schema/declaration.js'
import { serviceAccountGroups, serviceAccountUser } from '../../authorization/well-known-users.js'
import type { CredentialObjects } from '../credential-objects.js'
import { type RegisteredClaims, textClaim, tokenTimeError } from '../jwt/registered-claims.js'
import { TokenError } from '../jwt/signed-token.js'
import { isSameSecret } from '../secret-digest.js'
import { accountError, type CheckedToken } from './bound-claims.js'

/** Reads a legacy token: it does not expire, is stored in a secret, is valid as long as that secret exists, and only for this server. */
export function legacyToken(
  claims: JsonObject,
  registered: RegisteredClaims,
  { token, audiences }: { readonly token: string; readonly audiences: readonly string[] },
): CheckedToken {
  const name = textClaim(claims, `${prefix}/service-account.name`)
  const uid = textClaim(claims, `${prefix}/service-account.uid`)
  const secretName = textClaim(claims, `${prefix}/secret.name`)
  const namespace = textClaim(claims, `${prefix}/namespace`)
  if ([name, uid, secretName, namespace].includes('')) throw new TokenError('the token names no service account')
  if (registered.subject !== serviceAccountUser(namespace, name))
    throw new TokenError('the subject of the token is not the account that it names')
  const user = { name: serviceAccountUser(namespace, name), uid, groups: serviceAccountGroups(namespace), extra: {} }
  return {
    user,
    audiences,
    secret: { namespace, name: secretName },
    fault(objects, now) {
      const time = tokenTimeError(registered, now)
      if (time) return `service account token ${time}`
      const fault = secretFault(objects, { namespace, name: secretName, token })
      return fault ?? accountError(objects, { namespace, serviceaccount: { name, uid } }, now)
    },
  }
}

interface KeptToken {
  readonly namespace: string
  readonly name: string
  readonly token: string
}

function secretFault(objects: CredentialObjects, { namespace, name, token }: KeptToken): string | undefined {
  const secret = objects.find('secrets', namespace, name) as Secret | undefined
  if (!secret || secret.metadata.deletionTimestamp !== undefined) return 'service account token has been invalidated'
  const kept = Buffer.from(secret.data?.token ?? '', 'base64').toString()
  if (!isSameSecret(kept, token)) return 'service account token does not match the one that is kept'
  return secret.metadata.labels?.[invalidSinceLabel] ? 'the token in its secret has been marked as invalid' : undefined
}
