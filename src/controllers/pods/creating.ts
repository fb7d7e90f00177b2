import { Pod } from '../../api/core/v1/pod.js'
import { ApiError, hasReason } from '../../api/errors.js'
import type { Given } from '../../client/resource-client.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import type { Owner } from './template.js'

type Hands = Pick<ReconcileContext, 'client' | 'events'>

/** Makes a pod and tells its owner's events of it, whether it succeeded or not. Throws what the server refused it with. */
export async function createPod(pod: Given<Pod>, owner: Owner, { client, events }: Hands): Promise<Pod> {
  if (Object.keys(pod.metadata.labels ?? {}).length === 0) throw new Error('unable to create pods, no labels')
  try {
    const made = await client.resource(Pod).in(owner.metadata.namespace!).create(pod)
    const message = `Created pod: ${made.metadata.name}`
    events.record({ about: owner, type: 'Normal', reason: 'SuccessfulCreate', message })
    return made
  } catch (error) {
    // In a namespace that goes, nothing can be made and nobody is left to read of it.
    if (!isNamespaceTerminating(error)) {
      const message = `Error creating: ${messageOf(error)}`
      events.record({ about: owner, type: 'Warning', reason: 'FailedCreate', message })
    }
    throw error
  }
}

/** Deletes a pod and tells its owner's events of it. One that is gone already is as good as deleted. */
export async function deletePod(pod: Pod, owner: Owner, { client, events }: Hands): Promise<void> {
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

/** Whether something was refused because its namespace goes. */
export function isNamespaceTerminating(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return error.status().details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') ?? false
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
