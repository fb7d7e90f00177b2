import { createPrivateKey } from 'node:crypto'
import { accountOf, isTokenSecret } from '../../api/core/v1/secret/service-account-token.js'
import { Secret } from '../../api/core/v1/secret.js'
import { ServiceAccount } from '../../api/core/v1/service-account.js'
import { optionalText } from '../../base/flags/flag-types.js'
import { type Change, keyOf, parseKey, type SharedInformers } from '../../client/informers/informer.js'
import { signingKey, signToken } from '../../wire/jwt/sign.js'
import { type ControllerSetup, defineController, workersFlag } from '../definition.js'
import { rootAuthority, rootCaFlags } from '../root-ca-certificate-publisher/root-ca-flags.js'
import { unlessNotFound } from '../runtime/failures.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import { decide, type TokenDecision, type TokenObservation } from './decide.js'
import { filledSecret, type TokenSource } from './filled-secret.js'

const flags = {
  ...rootCaFlags,
  'service-account-private-key-file': optionalText('The key that signs the tokens of service accounts.', {
    placeholder: 'FILE',
  }),
  'concurrent-serviceaccount-token-syncs': workersFlag('secrets of service accounts', 5),
}

/** Fills the secrets that hold tokens of service accounts, and deletes them with their accounts. */
export const definition = defineController({
  name: 'serviceaccount-token-controller',
  alias: 'serviceaccount-token',
  flags,
  create(controller, setup) {
    const source = tokenSource(setup)
    if (!source) return undefined
    return controller
      .watches(Secret, ({ object }) => (isTokenSecret(object) ? [keyOf(object)] : []))
      .watches(ServiceAccount, secretsOf)
      .workers(setup.flags['concurrent-serviceaccount-token-syncs'])
      .reconcile({
        observe: (key, context) => observe(key, source.rootAuthority, context),
        decide,
        act: (decision, _, context) => act(decision, source, context),
      })
  },
})

/** Undefined if there is no key to sign with. */
function tokenSource(setup: ControllerSetup<typeof flags>): TokenSource | undefined {
  const file = setup.flags['service-account-private-key-file']
  const pem = file === undefined ? setup.credentials.serviceAccountKey : setup.readFile(file)
  if (pem === undefined) return undefined
  const key = signingKey(createPrivateKey(pem))
  return { rootAuthority: rootAuthority(setup), sign: (claims) => signToken(claims, key) }
}

const byAccount = 'service account'
const bySecret = 'secret'

function* secretsOf({ object }: Change<ServiceAccount>, informers: SharedInformers): Iterable<string> {
  addIndexes(informers)
  for (const secret of informers.of(Secret).by(byAccount, keyOf(object))) yield keyOf(secret)
}

function addIndexes(informers: SharedInformers): void {
  informers
    .of(ServiceAccount)
    .addIndex(bySecret, ({ metadata, secrets }) => (secrets ?? []).map(({ name }) => `${metadata.namespace}/${name}`))
  informers
    .of(Secret)
    .addIndex(byAccount, (secret) =>
      isTokenSecret(secret) ? [`${secret.metadata.namespace}/${accountOf(secret).name}`] : [],
    )
}

async function observe(
  key: string,
  rootAuthority: string | undefined,
  context: ReconcileContext,
): Promise<TokenObservation> {
  addIndexes(context.informers)
  const secret = context.informers.of(Secret).get(key)
  if (!secret) return { secret, name: parseKey(key).name, listedBy: await accountsListing(key, context) }
  return { secret, account: await accountFor(secret, context), rootAuthority }
}

/** Asks the server for an account before a token is deleted: the informer may be behind. */
async function accountFor(
  secret: Secret,
  { client, informers }: ReconcileContext,
): Promise<ServiceAccount | undefined> {
  const { name, uid } = accountOf(secret)
  const { namespace = '' } = secret.metadata
  if (name === '' || !isTokenSecret(secret)) return undefined
  const isNamed = (account: ServiceAccount | undefined) => account && (uid === '' || account.metadata.uid === uid)
  const known = informers.of(ServiceAccount).get(`${namespace}/${name}`)
  if (isNamed(known)) return known
  const account = await unlessNotFound(client.resource(ServiceAccount).in(namespace).get(name))
  return isNamed(account) ? account : undefined
}

/** The accounts that list the secret, as the server has them. */
async function accountsListing(
  key: string,
  { client, informers }: ReconcileContext,
): Promise<readonly ServiceAccount[]> {
  const accounts = client.resource(ServiceAccount).in(parseKey(key).namespace)
  const current: ServiceAccount[] = []
  for (const { metadata } of informers.of(ServiceAccount).by(bySecret, key)) {
    const account = await unlessNotFound(accounts.get(metadata.name!))
    if (account?.metadata.uid === metadata.uid) current.push(account!)
  }
  return current
}

async function act(decision: TokenDecision, source: TokenSource, { client }: ReconcileContext): Promise<void> {
  if (decision.do === 'unlist') {
    for (const account of decision.accounts) await client.resource(ServiceAccount).update(account)
    return
  }
  const { namespace, name, uid } = decision.secret.metadata
  const secrets = client.resource(Secret).in(namespace!)
  // The update fails if the secret has changed since it was observed; the change causes another reconcile.
  if (decision.do === 'fill') await unlessNotFound(secrets.update(filledSecret(decision.secret, decision, source)))
  else await unlessNotFound(secrets.delete(name!, { preconditions: { uid: uid! } }))
}
