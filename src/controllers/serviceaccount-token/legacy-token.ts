import { legacyClaimPrefix, legacyIssuer } from '../../api/core/v1/secret/service-account-token.js'
import type { ServiceAccount } from '../../api/core/v1/service-account.js'

/** What the token in a secret says: whose it is and where it is kept. It has no end. */
export function legacyClaims({ metadata }: ServiceAccount, secret: string): Readonly<Record<string, string>> {
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
