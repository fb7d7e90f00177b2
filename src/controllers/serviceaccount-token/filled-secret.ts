import { accountNameKey, accountUidKey } from '../../api/core/v1/secret/service-account-token.js'
import type { Secret } from '../../api/core/v1/secret.js'
import type { ServiceAccount } from '../../api/core/v1/service-account.js'

export interface Filling {
  /** By which pods know the API server, in PEM form. */
  readonly rootAuthority?: string | undefined
  /** A token for the account, kept in the secret of that name. */
  readonly tokenFor: (account: ServiceAccount, secret: string) => string
}

/** The secret with all that belongs into it; undefined where nothing is missing. */
export function filledSecret(secret: Secret, account: ServiceAccount, filling: Filling): Secret | undefined {
  const { data = {}, metadata } = secret
  const missing = missingParts(secret, filling)
  if (missing.length === 0) return undefined
  const parts: Readonly<Record<string, () => string>> = {
    'ca.crt': () => filling.rootAuthority ?? '',
    namespace: () => metadata.namespace!,
    token: () => filling.tokenFor(account, metadata.name!),
  }
  const owner = { [accountNameKey]: account.metadata.name!, [accountUidKey]: account.metadata.uid! }
  const filled = missing.map((key) => [key, Buffer.from(parts[key]!()).toString('base64')])
  return {
    ...secret,
    metadata: { ...metadata, annotations: { ...metadata.annotations, ...owner } },
    data: { ...data, ...Object.fromEntries(filled) },
  }
}

function missingParts({ data = {} }: Secret, { rootAuthority = '' }: Filling): readonly string[] {
  const known = Buffer.from(data['ca.crt'] ?? '', 'base64').toString()
  return [
    ...(rootAuthority !== '' && known !== rootAuthority ? ['ca.crt'] : []),
    ...['namespace', 'token'].filter((key) => !data[key]),
  ]
}
