import { isTokenSecret } from '../../api/core/v1/secret/service-account-token.js'
import type { Secret } from '../../api/core/v1/secret.js'
import type { ServiceAccount } from '../../api/core/v1/service-account.js'
import type { TokenDataKey } from './filled-secret.js'

export type TokenObservation =
  | {
      readonly secret: Secret
      /** The account that the secret names; undefined if it does not exist. */
      readonly account: ServiceAccount | undefined
      readonly rootAuthority: string | undefined
    }
  /** The secret is gone. */
  | { readonly secret: undefined; readonly name: string; readonly listedBy: readonly ServiceAccount[] }

export type TokenDecision =
  | { readonly do: 'delete'; readonly secret: Secret }
  | {
      readonly do: 'fill'
      readonly secret: Secret
      readonly account: ServiceAccount
      readonly keys: readonly TokenDataKey[]
    }
  /** Accounts that no longer list the secret, as they are to be written. */
  | { readonly do: 'unlist'; readonly accounts: readonly ServiceAccount[] }

export function decide(observation: TokenObservation): TokenDecision | undefined {
  if (!observation.secret) return unlisted(observation.name, observation.listedBy)
  const { secret, account, rootAuthority } = observation
  if (!isTokenSecret(secret)) return undefined
  if (!account) return { do: 'delete', secret }
  const keys = missingKeys(secret, rootAuthority)
  return keys.length === 0 ? undefined : { do: 'fill', secret, account, keys }
}

function unlisted(name: string, listedBy: readonly ServiceAccount[]): TokenDecision {
  const accounts = listedBy.flatMap((account) => {
    const secrets = (account.secrets ?? []).filter((secret) => secret.name !== name)
    return secrets.length < (account.secrets ?? []).length ? [{ ...account, secrets }] : []
  })
  return { do: 'unlist', accounts }
}

/** A token that exists is never replaced; a certificate that differs is. */
function missingKeys({ data = {} }: Secret, rootAuthority = ''): readonly TokenDataKey[] {
  const known = Buffer.from(data['ca.crt'] ?? '', 'base64').toString()
  const keys: readonly TokenDataKey[] = ['namespace', 'token']
  return [
    ...(rootAuthority !== '' && known !== rootAuthority ? (['ca.crt'] as const) : []),
    ...keys.filter((key) => !data[key]),
  ]
}
