import { isBootstrapToken, tokenEnd } from '../../api/core/v1/secret/bootstrap-token.js'
import { Secret } from '../../api/core/v1/secret.js'
import { hasReason } from '../../api/errors.js'
import { keyOf, parsedKey } from '../../client/informers/informer.js'
import { controller } from '../runtime/builder.js'
import type { Controller } from '../runtime/controller.js'
import type { ReconcileContext, ReconcileResult } from '../runtime/reconcile.js'

/** Removes bootstrap tokens that have ended. */
export function tokenCleaner(): Controller {
  return controller('token-cleaner')
    .watches(Secret, ({ object }) => (isBootstrapToken(object) ? [keyOf(object)] : []))
    .workers(1)
    .reconcile(removeWhenDue)
}

async function removeWhenDue(
  key: string,
  { client, informers, environment }: ReconcileContext,
): Promise<ReconcileResult | undefined> {
  const secret = informers.of(Secret).get(key)
  if (!secret || !isBootstrapToken(secret)) return undefined
  const end = tokenEnd(secret)
  if (end === undefined) return undefined
  const left = end - environment.clock.now()
  if (left > 0) return { requeueAfter: left }
  const { namespace, name } = parsedKey(key)
  try {
    await client
      .resource(Secret)
      .in(namespace)
      .delete(name, { preconditions: { uid: secret.metadata.uid! } })
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error
  }
  return undefined
}
