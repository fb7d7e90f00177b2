import { createPrivateKey } from 'node:crypto'
import { accountOf, isTokenSecret } from '../../api/core/v1/secret/service-account-token.js'
import { Secret } from '../../api/core/v1/secret.js'
import { ServiceAccount } from '../../api/core/v1/service-account.js'
import { hasReason } from '../../api/errors.js'
import { type Change, keyOf, type SharedInformers } from '../../client/informers/informer.js'
import { signingKey, signToken } from '../../wire/jwt/sign.js'
import { controller } from '../runtime/builder.js'
import type { Controller } from '../runtime/controller.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import { type Filling, filledSecret } from './filled-secret.js'
import { legacyClaims } from './legacy-token.js'
import { forgetSecret, indexReferences, live } from './references.js'

export interface TokenOptions {
  /** Signs tokens, in PEM form: `--service-account-private-key-file`. */
  readonly serviceAccountKey: string
  readonly rootAuthority?: string | undefined
  /** `--concurrent-serviceaccount-token-syncs` */
  readonly workers?: number | undefined
}

/** Fills the secrets that are to hold tokens of service accounts, and removes them with their accounts. */
export function serviceAccountTokens({ serviceAccountKey, rootAuthority, workers = 5 }: TokenOptions): Controller {
  const key = signingKey(createPrivateKey(serviceAccountKey))
  const tokenFor: Filling['tokenFor'] = (account, secret) => signToken(legacyClaims(account, secret), key)
  return controller('serviceaccount-token')
    .watches(Secret, ({ object }) => (isTokenSecret(object) ? [keyOf(object)] : []))
    .watches(ServiceAccount, secretsOf)
    .workers(workers)
    .reconcile((name, context) => reconcile(name, { rootAuthority, tokenFor }, context))
}

const byAccount = 'service account'

function* secretsOf({ object }: Change<ServiceAccount>, informers: SharedInformers): Iterable<string> {
  indexes(informers)
  for (const secret of informers.of(Secret).by(byAccount, keyOf(object))) yield keyOf(secret)
}

function indexes(informers: SharedInformers): void {
  indexReferences(informers)
  informers
    .of(Secret)
    .addIndex(byAccount, (secret) =>
      isTokenSecret(secret) ? [`${secret.metadata.namespace}/${accountOf(secret).name}`] : [],
    )
}

async function reconcile(key: string, filling: Filling, { client, informers }: ReconcileContext): Promise<void> {
  indexes(informers)
  const known = informers.of(Secret).get(key)
  if (!known) return forgetSecret(key, client, informers)
  if (!isTokenSecret(known)) return
  const { namespace = '', name = '', uid } = known.metadata
  const secrets = client.resource(Secret).in(namespace)
  try {
    const account = await accountFor(known, { client, informers })
    if (!account) return await secrets.delete(name, { preconditions: { uid: uid! } })
    const filled = filledSecret(known, account, filling)
    // Over what was looked at only: who writes meanwhile is heard of, and this is looked at again.
    if (filled) await secrets.update(filled)
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error
  }
}

/** The server is asked itself before a token is taken for nobody's. */
async function accountFor(
  secret: Secret,
  { client, informers }: Pick<ReconcileContext, 'client' | 'informers'>,
): Promise<ServiceAccount | undefined> {
  const { name, uid } = accountOf(secret)
  const { namespace = '' } = secret.metadata
  if (name === '') return undefined
  const isIt = (account: ServiceAccount | undefined) => account && (uid === '' || account.metadata.uid === uid)
  const known = informers.of(ServiceAccount).get(`${namespace}/${name}`)
  if (isIt(known)) return known
  const account = await live(() => client.resource(ServiceAccount).in(namespace).get(name))
  return isIt(account) ? account : undefined
}
