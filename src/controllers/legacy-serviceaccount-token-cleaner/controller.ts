import { ConfigMap } from '../../api/core/v1/config-map.js'
import { podSecretNames } from '../../api/core/v1/pod/references.js'
import { Pod } from '../../api/core/v1/pod.js'
import {
  accountOf,
  dayOf,
  invalidSinceLabel,
  isTokenSecret,
  startOfDay,
  tokenTracking,
} from '../../api/core/v1/secret/service-account-token.js'
import { Secret } from '../../api/core/v1/secret.js'
import { ServiceAccount } from '../../api/core/v1/service-account.js'
import { hasReason } from '../../api/errors.js'
import { duration } from '../../base/flags/flag-types.js'
import type { Client } from '../../client/client.js'
import { keyOf, type SharedInformers } from '../../client/informers/informer.js'
import { defineController } from '../definition.js'
import { forEachConcurrently } from '../runtime/concurrency.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import { decide, type ObservedToken, type TokenChange, type TokenCleanerObservation } from './decide.js'

const day = 24 * 60 * 60_000

/** Invalidates, and later deletes, auto-generated tokens of service accounts that nobody uses. */
export const definition = defineController({
  name: 'legacy-serviceaccount-token-cleaner-controller',
  alias: 'legacy-service-account-token-cleaner',
  serviceAccount: 'legacy-service-account-token-cleaner',
  rules: [
    'get on configmaps of core named kube-apiserver-legacy-service-account-token-tracking',
    'delete patch on secrets of core',
  ],
  flags: {
    'legacy-service-account-token-clean-up-period': duration(
      'Tokens in secrets that were not used for this long are invalidated, and later deleted.',
      { initial: 365 * day },
    ),
  },
  create: (controller, { flags }) =>
    controller
      .watches(ServiceAccount)
      .watches(Secret)
      .watches(Pod)
      .workers(1)
      .startingWith('all tokens')
      .reconcile({ observe: observerOf(flags['legacy-service-account-token-clean-up-period']), decide, act }),
})

function observerOf(period: number) {
  return async (_: string, { client, informers, environment }: ReconcileContext): Promise<TokenCleanerObservation> => ({
    now: environment.clock.now(),
    period,
    trackedSince: await trackedSince(client),
    tokens: observedTokens(informers),
  })
}

/** Tracking is certain from the end of the day on which it began. */
async function trackedSince(client: Client): Promise<number> {
  const { namespace, name, key } = tokenTracking
  const { data } = await client.resource(ConfigMap).in(namespace).get(name)
  const start = startOfDay(data?.[key])
  if (start === undefined) throw new Error(`the ConfigMap ${name} does not say since when tokens are tracked`)
  return start + day
}

function observedTokens(informers: SharedInformers): readonly ObservedToken[] {
  const mounted = new Set<string>()
  for (const pod of informers.of(Pod).list())
    for (const name of podSecretNames(pod)) mounted.add(`${pod.metadata.namespace}/${name}`)
  const accounts = informers.of(ServiceAccount)
  return [...informers.of(Secret).list()].filter(isTokenSecret).map((secret) => ({
    secret,
    account: accounts.get(`${secret.metadata.namespace}/${accountOf(secret).name}`),
    isMounted: mounted.has(keyOf(secret)),
  }))
}

async function act(changes: readonly TokenChange[], { now }: TokenCleanerObservation, { client }: ReconcileContext) {
  await forEachConcurrently(changes, 1, (change) => apply(change, dayOf(now), client))
  return { requeueAfter: day }
}

async function apply({ secret, do: action }: TokenChange, today: string, client: Client): Promise<void> {
  const { namespace = '', name = '', uid, resourceVersion } = secret.metadata
  const secrets = client.resource(Secret).in(namespace)
  try {
    if (action === 'invalidate')
      await secrets.patch(name, 'merge', { metadata: { uid, labels: { [invalidSinceLabel]: today } } })
    else await secrets.delete(name, { preconditions: { resourceVersion: resourceVersion! } })
  } catch (error) {
    // The secret has changed or is gone; the next run sees it.
    if (!hasReason(error, 'Conflict') && !hasReason(error, 'NotFound')) throw error
  }
}
