import type { Pod } from '../../api/core/v1/pod.js'
import type { JsonValue } from '../../schema/declaration.js'
import { sameJson } from '../../schema/json-value.js'
import { createPod, deletePod, isNamespaceTerminating } from '../pods/creating.js'
import { settleAll, slowStart } from '../pods/slow-start.js'
import { podFromTemplate } from '../pods/template.js'
import { decideReplicas } from './replica-change.js'
import type { Look } from './replica-kind.js'
import { type Observation, replicaStatus } from './replica-status.js'
import { relatedPods } from './replicas.js'

/** Makes what is missing, deletes what is too much. An owner that goes makes nothing more and takes nothing away. */
export async function changeReplicas(look: Look, active: readonly Pod[]): Promise<void> {
  const { owner, context } = look
  if (owner.metadata.deletionTimestamp !== undefined) return
  const change = decideReplicas({
    wanted: owner.spec.replicas ?? 1,
    active,
    related: () => relatedPods(look),
    now: context.environment.clock.now(),
  })
  if (change.is === 'create') await createReplicas(look, change.count)
  if (change.is === 'delete') await settleAll(change.pods.map((pod) => deletePod(pod, owner, context)))
}

async function createReplicas({ owner, context }: Look, count: number): Promise<void> {
  const pod = podFromTemplate(owner.spec.template ?? {}, owner)
  try {
    await slowStart(count, () => createPod(pod, owner, context))
  } catch (error) {
    // Nothing can be made any more, and trying again is of no use.
    if (!isNamespaceTerminating(error)) throw error
  }
}

export async function writeStatus({ kind, owner, context }: Look, observation: Observation): Promise<void> {
  const status = replicaStatus(owner, observation)
  if (sameJson(status as JsonValue, owner.status as JsonValue)) return
  const statuses = context.client.resource(kind.schema).in(owner.metadata.namespace!).subresource('status')
  await statuses.update({ ...owner, status })
}
