import { isBootstrapToken, tokenEnd } from '../../api/core/v1/secret/bootstrap-token.js'
import { Secret } from '../../api/core/v1/secret.js'
import { keyOf } from '../../client/informers/informer.js'
import { defineController, recordEvents } from '../definition.js'
import { unlessNotFound } from '../runtime/failures.js'
import type { ReconcileContext, ReconcileResult } from '../runtime/reconcile.js'

/** Deletes bootstrap tokens that have expired. */
export const definition = defineController({
  name: 'token-cleaner-controller',
  alias: 'tokencleaner',
  isOffByDefault: true,
  serviceAccount: 'token-cleaner',
  namespacedRules: { 'kube-system': ['delete get list watch on secrets of core', recordEvents] },
  create: (controller) =>
    controller
      .watches(Secret, ({ object }) => (isBootstrapToken(object) ? [keyOf(object)] : []))
      .workers(1)
      .reconcile({ observe, decide, act }),
})

interface Observation {
  readonly secret: Secret
  readonly now: number
}

interface Decision {
  /** Milliseconds until the token is to be deleted; 0 or less: now. */
  readonly deleteAfter: number
}

async function observe(key: string, { informers, environment }: ReconcileContext): Promise<Observation | undefined> {
  const secret = informers.of(Secret).get(key)
  return secret && { secret, now: environment.clock.now() }
}

export function decide({ secret, now }: Observation): Decision | undefined {
  const end = isBootstrapToken(secret) ? tokenEnd(secret) : undefined
  return end === undefined ? undefined : { deleteAfter: end - now }
}

async function act(
  { deleteAfter }: Decision,
  { secret }: Observation,
  { client }: ReconcileContext,
): Promise<ReconcileResult | undefined> {
  if (deleteAfter > 0) return { requeueAfter: deleteAfter }
  const { namespace, name, uid } = secret.metadata
  const secrets = client.resource(Secret).in(namespace!)
  await unlessNotFound(secrets.delete(name!, { preconditions: { uid: uid! } }))
  return undefined
}
