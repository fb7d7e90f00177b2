import {
  accountNameKey,
  accountUidKey,
  legacyClaimPrefix,
  legacyIssuer,
} from '../../api/core/v1/secret/service-account-token.js'
import type { Secret } from '../../api/core/v1/secret.js'
import type { ServiceAccount } from '../../api/core/v1/service-account.js'

export type TokenDataKey = 'ca.crt' | 'namespace' | 'token'

export interface TokenSource {
  /** The certificate by which clients verify the API server, in PEM form. */
  readonly rootAuthority?: string | undefined
  readonly sign: (claims: Readonly<Record<string, string>>) => string
}

/** The secret with the data that it lacks. */
export function filledSecret(
  secret: Secret,
  { keys, account }: { readonly keys: readonly TokenDataKey[]; readonly account: ServiceAccount },
  { rootAuthority, sign }: TokenSource,
): Secret {
  const { data = {}, metadata } = secret
  const values: Readonly<Record<TokenDataKey, () => string>> = {
    'ca.crt': () => rootAuthority ?? '',
    namespace: () => metadata.namespace!,
    token: () => sign(legacyClaims(account, metadata.name!)),
  }
  const owner = { [accountNameKey]: account.metadata.name!, [accountUidKey]: account.metadata.uid! }
  const filled = keys.map((key) => [key, Buffer.from(values[key]()).toString('base64')])
  return {
    ...secret,
    metadata: { ...metadata, annotations: { ...metadata.annotations, ...owner } },
    data: { ...data, ...Object.fromEntries(filled) },
  }
}

/** The claims of a token without expiry: its account, and the secret that holds it. */
function legacyClaims({ metadata }: ServiceAccount, secret: string): Readonly<Record<string, string>> {
  const { namespace = '', name = '', uid = '' } = metadata
  return {
    iss: legacyIssuer,
    [`${legacyClaimPrefix}/namespace`]: namespace,
    [`${legacyClaimPrefix}/secret.name`]: secret,
    [`${legacyClaimPrefix}/service-account.name`]: name,
    [`${legacyClaimPrefix}/service-account.uid`]: uid,
    sub: `system:serviceaccount:${namespace}:${name}`,
  }
}
