import { Pod } from '../../api/core/v1/pod.js'
import { ApiError, hasReason } from '../../api/errors.js'
import type { Given } from '../../client/resource-client.js'
import { messageOf } from '../runtime/failures.js'
import type { OwnerObject } from '../runtime/owners.js'
import type { ReconcileContext } from '../runtime/reconcile.js'

type PodWriteContext = Pick<ReconcileContext, 'client' | 'events'>

/** Creates a pod and records an event on its owner, also when the server rejects it. */
export async function createPod(
  pod: Given<Pod>,
  owner: OwnerObject,
  { client, events }: PodWriteContext,
): Promise<Pod> {
  if (Object.keys(pod.metadata.labels ?? {}).length === 0) throw new Error('unable to create pods, no labels')
  try {
    const created = await client.resource(Pod).in(owner.metadata.namespace!).create(pod)
    const message = `Created pod: ${created.metadata.name}`
    events.record({ about: owner, type: 'Normal', reason: 'SuccessfulCreate', message })
    return created
  } catch (error) {
    // Nobody reads events of a namespace that terminates.
    if (!isNamespaceTerminating(error)) {
      const message = `Error creating: ${messageOf(error)}`
      events.record({ about: owner, type: 'Warning', reason: 'FailedCreate', message })
    }
    throw error
  }
}

/** Deletes a pod and records an event on its owner. A pod that is already gone is not an error. */
export async function deletePod(pod: Pod, owner: OwnerObject, { client, events }: PodWriteContext): Promise<void> {
  const { name, namespace, uid } = pod.metadata
  try {
    await client
      .resource(Pod)
      .in(namespace!)
      .delete(name!, { preconditions: { uid: uid! } })
    events.record({ about: owner, type: 'Normal', reason: 'SuccessfulDelete', message: `Deleted pod: ${name}` })
  } catch (error) {
    if (hasReason(error, 'NotFound')) return
    const message = `Error deleting: ${messageOf(error)}`
    events.record({ about: owner, type: 'Warning', reason: 'FailedDelete', message })
    throw new Error(`unable to delete pods: ${messageOf(error)}`, { cause: error })
  }
}

/** Whether the server rejected a request because the namespace terminates. */
export function isNamespaceTerminating(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return error.status().details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') ?? false
}
