import { accountOf } from '../../api/core/v1/secret/service-account-token.js'
import { Secret } from '../../api/core/v1/secret.js'
import { ServiceAccount } from '../../api/core/v1/service-account.js'
import type { TestCluster } from '../../testing/cluster.js'

const type = 'kubernetes.io/service-account-token'

/** A secret that asks for a token. */
export function tokenSecret(name: string, account: string, options: Partial<Secret> = {}): Secret {
  const metadata = { name, namespace: 'default', annotations: { 'kubernetes.io/service-account.name': account } }
  return { apiVersion: 'v1', kind: 'Secret', metadata, type, ...options } as Secret
}

/** What accounts list, and what is in the secrets. Uids and signatures are different each time. */
export async function viewOfTokens({ client, authority }: TestCluster): Promise<readonly string[]> {
  const { items: accounts } = await client.resource(ServiceAccount).in('default').list()
  const { items: secrets } = await client.resource(Secret).in('default').list()
  const uids = new Map(accounts.map(({ metadata }) => [metadata.uid, `that of ${metadata.name}`]))
  return [
    ...accounts.map(({ metadata, secrets: listed = [] }) => `Account ${metadata.name}: lists ${namesOf(listed)}`),
    ...secrets.flatMap((secret) => [
      `Secret ${secret.metadata.name} (${secret.type}) for ${accountOf(secret).name}, uid ${uids.get(accountOf(secret).uid) ?? 'unknown'}`,
      ...Object.entries(secret.metadata.labels ?? {}).map(([label, value]) => `  labelled ${label}=${value}`),
      ...Object.entries(secret.data ?? {})
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([key, value]) => `  ${key}: ${shown(key, Buffer.from(value, 'base64').toString(), { uids, authority })}`),
    ]),
  ]
}

function namesOf(listed: readonly { readonly name?: string }[]): string {
  return listed.length === 0 ? 'nothing' : listed.map(({ name }) => name).join(', ')
}

interface Known {
  readonly uids: ReadonlyMap<string | undefined, string>
  readonly authority: string
}

function shown(key: string, value: string, { uids, authority }: Known): string {
  if (value === authority) return 'the authority of the cluster'
  if (key !== 'token' || !value.includes('.')) return value
  const claims = JSON.parse(Buffer.from(value.split('.')[1]!, 'base64url').toString()) as Record<string, string>
  return Object.entries(claims)
    .map(([name, claim]) => `${name.replace('kubernetes.io/serviceaccount/', '')}=${uids.get(claim) ?? claim}`)
    .join(' ')
}
