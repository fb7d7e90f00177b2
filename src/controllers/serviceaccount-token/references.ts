import { ServiceAccount } from '../../api/core/v1/service-account.js'
import { hasReason } from '../../api/errors.js'
import type { Client } from '../../client/client.js'
import { parsedKey, type SharedInformers } from '../../client/informers/informer.js'

const index = 'secret'

/** By the keys of the secrets that they list. */
export function indexReferences(informers: SharedInformers): void {
  informers
    .of(ServiceAccount)
    .addIndex(index, ({ metadata, secrets }) => (secrets ?? []).map(({ name }) => `${metadata.namespace}/${name}`))
}

/** A token that is gone is listed nowhere. */
export async function forgetSecret(key: string, client: Client, informers: SharedInformers): Promise<void> {
  const { namespace, name } = parsedKey(key)
  const accounts = client.resource(ServiceAccount).in(namespace)
  for (const { metadata } of informers.of(ServiceAccount).by(index, key)) {
    const account = await live(() => accounts.get(metadata.name!))
    if (account?.metadata.uid !== metadata.uid) continue
    const secrets = (account?.secrets ?? []).filter((secret) => secret.name !== name)
    if (account && secrets.length < (account.secrets ?? []).length) await accounts.update({ ...account, secrets })
  }
}

/** Undefined where there is none. */
export async function live<T>(get: () => Promise<T>): Promise<T | undefined> {
  try {
    return await get()
  } catch (error) {
    if (hasReason(error, 'NotFound')) return undefined
    throw error
  }
}
