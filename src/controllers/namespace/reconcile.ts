import { Namespace } from '../../api/core/v1/namespace.js'
import { hasReason } from '../../api/errors.js'
import type { Client } from '../../client/client.js'
import { formatTime } from '../../schema/values/time.js'
import type { ReconcileContext, ReconcileResult } from '../runtime/reconcile.js'
import { areSame, conditionsOf } from './conditions.js'
import { emptyNamespace } from './emptying.js'
import type { Emptying } from './remaining.js'

/** Held until everything in the namespace is gone. */
const ownFinalizer = 'kubernetes'

/** What fails for no reason that is known is tried again after so many milliseconds: upstream does so every minute at least. */
const retryAfter = 10_000

/** Empties a namespace that was deleted, says in its status how far that is, and lets go of it when nothing is left. */
export async function reconcileNamespace(
  name: string,
  context: ReconcileContext,
): Promise<ReconcileResult | undefined> {
  const { client, environment } = context
  const namespace = await read(client, name)
  const deleted = namespace?.metadata.deletionTimestamp
  if (!namespace || deleted === undefined || !namespace.spec.finalizers?.includes(ownFinalizer)) return undefined
  const now = environment.clock.now()
  const emptying = await emptyNamespace(client, { name, deletedAt: Date.parse(deleted), now })
  await tellConditions(namespace, emptying, context)
  const { remaining, undiscovered } = emptying
  if (remaining.length === 0 && undiscovered === undefined) return finalize(client, namespace)
  return { requeueAfter: delayOf(emptying, context, name) }
}

async function read(client: Client, name: string): Promise<Namespace | undefined> {
  try {
    return await client.resource(Namespace).get(name)
  } catch (error) {
    if (hasReason(error, 'NotFound')) return undefined
    throw error
  }
}

/** Somebody else who writes at the same time does not keep the content from being deleted: the next look tells it. */
async function tellConditions(
  namespace: Namespace,
  emptying: Emptying,
  { client, environment }: ReconcileContext,
): Promise<void> {
  const { clock, log } = environment
  const before = namespace.status.conditions ?? []
  const conditions = conditionsOf(emptying, before, formatTime(clock.now()))
  if (areSame(conditions, before)) return
  const status = { ...namespace.status, phase: 'Terminating' as const, conditions }
  try {
    await client
      .resource(Namespace)
      .subresource('status')
      .update({ ...namespace, status })
  } catch (error) {
    log.warn('the conditions of a namespace could not be written', { namespace: namespace.metadata.name, error })
  }
}

/** Lets go of a namespace; with its last finalizer it goes. */
async function finalize(client: Client, { metadata: { name = '', uid } }: Namespace): Promise<undefined> {
  for (;;) {
    const namespace = await read(client, name)
    if (!namespace || namespace.metadata.uid !== uid) return
    const finalizers = (namespace.spec.finalizers ?? []).filter((finalizer) => finalizer !== ownFinalizer)
    try {
      await client
        .resource(Namespace)
        .subresource('finalize')
        .update({ ...namespace, spec: { ...namespace.spec, finalizers } })
      return
    } catch (error) {
      if (hasReason(error, 'NotFound')) return
      if (!hasReason(error, 'Conflict')) throw error
    }
  }
}

/** Half of what it is likely to take; what failed is tried again soon. */
function delayOf({ remaining, undiscovered }: Emptying, { environment }: ReconcileContext, namespace: string): number {
  const failures = remaining.flatMap(({ failure }) => failure ?? [])
  if (failures.length > 0 || undiscovered !== undefined) {
    environment.log.warn('a namespace cannot be emptied yet', { namespace, failures, undiscovered })
    return retryAfter
  }
  const seconds = Math.max(...remaining.map(({ estimate }) => estimate))
  return (Math.floor(seconds / 2) + 1) * 1000
}
