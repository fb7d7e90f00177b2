import { Endpoints } from '../../api/core/v1/endpoints.js'
import { Service } from '../../api/core/v1/service.js'
import { hasReason } from '../../api/errors.js'
import { keyOf, parsedKey } from '../../client/informers/informer.js'
import type { Given } from '../../client/resource-client.js'
import { isNamespaceTerminating } from '../pods/creating.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import { choosesPods, podsOf } from '../services/selection.js'
import type { TriggerTimes } from '../services/trigger-times.js'
import { wantedEndpoints } from './decide.js'

const leaderAnnotation = 'control-plane.alpha.kubernetes.io/leader'

/** The key under which all that was left behind is looked at once, when the loop begins. */
export const leftovers = 'leftovers'

export async function reconcileEndpoints(
  key: string,
  context: ReconcileContext,
  triggerTimes: TriggerTimes,
): Promise<void> {
  if (key === leftovers) return lookAtLeftovers(context)
  const service = context.informers.of(Service).get(key)
  if (!service) {
    triggerTimes.forget(key)
    return remove(key, context)
  }
  if (!choosesPods(service)) return
  const pods = podsOf(service, context.informers)
  const triggerTime = triggerTimes.next(service, pods)
  const current = context.informers.of(Endpoints).get(key)
  const wanted = wantedEndpoints({ service, pods, current, triggerTime })
  if (wanted) await write(wanted, { isNew: current === undefined, context })
}

/** A service may have gone while nobody was here to see it. What elections are held with is nobody's address. */
function lookAtLeftovers({ informers, enqueue }: ReconcileContext): void {
  for (const endpoints of informers.of(Endpoints).list())
    if (endpoints.metadata.annotations?.[leaderAnnotation] === undefined) enqueue(keyOf(endpoints))
}

async function remove(key: string, { client, informers }: ReconcileContext): Promise<void> {
  if (!informers.of(Endpoints).get(key)) return
  const { namespace, name } = parsedKey(key)
  try {
    await client.resource(Endpoints).in(namespace).delete(name)
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error
  }
}

async function write(
  endpoints: Given<Endpoints>,
  { isNew, context: { client, events } }: { readonly isNew: boolean; readonly context: ReconcileContext },
): Promise<void> {
  const { namespace, name } = endpoints.metadata
  try {
    if (isNew) await client.resource(Endpoints).create(endpoints)
    else await client.resource(Endpoints).update(endpoints)
  } catch (error) {
    if (isNew && isNamespaceTerminating(error)) return
    const why = error instanceof Error ? error.message : String(error)
    const [reason, message] = isNew
      ? ['FailedToCreateEndpoint', `Failed to create endpoint for service ${namespace}/${name}: ${why}`]
      : ['FailedToUpdateEndpoint', `Failed to update endpoint ${namespace}/${name}: ${why}`]
    const about = { apiVersion: 'v1', kind: 'Endpoints', metadata: endpoints.metadata }
    events.record({ about, type: 'Warning', reason: reason!, message: message! })
    throw error
  }
}
