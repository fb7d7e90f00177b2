import { ConfigMap } from '../../api/core/v1/config-map.js'
import { podSecretNames } from '../../api/core/v1/pod/secrets.js'
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
import type { Client } from '../../client/client.js'
import type { SharedInformers } from '../../client/informers/informer.js'
import { controller } from '../runtime/builder.js'
import { forEachConcurrently } from '../runtime/concurrency.js'
import type { Controller } from '../runtime/controller.js'
import type { ReconcileContext, ReconcileResult } from '../runtime/reconcile.js'
import { verdictOn } from './verdict.js'

const day = 24 * 60 * 60_000

export interface LegacyTokenCleanerOptions {
  /** For how long nobody may have used a token, in milliseconds: `--legacy-service-account-token-clean-up-period`. */
  readonly period?: number | undefined
}

/** Ends the tokens that nobody uses, of those that were made without being asked for. */
export function legacyTokenCleaner({ period = 365 * day }: LegacyTokenCleanerOptions = {}): Controller {
  const nobody = () => []
  return controller('legacy-service-account-token-cleaner')
    .watches(ServiceAccount, nobody)
    .watches(Secret, nobody)
    .watches(Pod, nobody)
    .workers(1)
    .startingWith('all tokens')
    .reconcile((_, context) => goThrough(period, context))
}

async function goThrough(
  period: number,
  { client, informers, environment }: ReconcileContext,
): Promise<ReconcileResult> {
  const now = environment.clock.now()
  if (now >= (await trackedSince(client)) + period) {
    const tokens = [...informers.of(Secret).list()].filter(isTokenSecret)
    await forEachConcurrently(tokens, 1, (secret) => judge(secret, { now, period, client, informers }))
  }
  return { requeueAfter: day }
}

/** Since when it is certain that uses were written down: from the end of the day on which that began. */
async function trackedSince(client: Client): Promise<number> {
  const { namespace, name, key } = tokenTracking
  const { data } = await client.resource(ConfigMap).in(namespace).get(name)
  const start = startOfDay(data?.[key])
  if (start === undefined) throw new Error(`the ConfigMap ${name} does not say since when tokens are tracked`)
  return start + day
}

interface Judging extends Pick<ReconcileContext, 'client' | 'informers'> {
  readonly now: number
  readonly period: number
}

async function judge(secret: Secret, { now, period, client, informers }: Judging): Promise<void> {
  const { namespace = '', name = '', uid, resourceVersion } = secret.metadata
  const account = informers.of(ServiceAccount).get(`${namespace}/${accountOf(secret).name}`)
  const isMounted = () => isUsedByPods(secret, informers)
  const secrets = client.resource(Secret).in(namespace)
  try {
    const verdict = verdictOn(secret, { now, period, account, isMounted })
    if (verdict === 'invalidate')
      await secrets.patch(name, 'merge', { metadata: { uid, labels: { [invalidSinceLabel]: dayOf(now) } } })
    else if (verdict === 'delete') await secrets.delete(name, { preconditions: { resourceVersion: resourceVersion! } })
  } catch (error) {
    // It has changed or gone; tomorrow is another day.
    if (!hasReason(error, 'Conflict') && !hasReason(error, 'NotFound')) throw error
  }
}

function isUsedByPods({ metadata }: Secret, informers: SharedInformers): boolean {
  for (const pod of informers.of(Pod).by('namespace', metadata.namespace!))
    if (podSecretNames(pod).has(metadata.name!)) return true
  return false
}
