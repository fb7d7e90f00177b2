import type { JsonValue } from '../../schema/declaration.js'
import { sameJson } from '../../schema/json-value.js'
import { createPod, deletePod, isNamespaceTerminating } from '../pods/pod-writes.js'
import { nextAvailability } from '../pods/readiness.js'
import { slowStart } from '../pods/slow-start.js'
import { podFromTemplate } from '../pods/template.js'
import { settleAll } from '../runtime/concurrency.js'
import type { ReconcileContext, ReconcileResult } from '../runtime/reconcile.js'
import type { ReplicaDecision, ReplicaObservation } from './decide.js'
import type { ReplicaKind, ReplicaOwner } from './replica-kind.js'
import { replicaStatus } from './status.js'

/** Creates or deletes pods, then writes the status, also if that failed. */
export function actorOf(kind: ReplicaKind) {
  return async (
    decision: ReplicaDecision,
    observation: ReplicaObservation,
    context: ReconcileContext,
  ): Promise<ReconcileResult | undefined> => {
    const { owner, active } = observation
    const failure = await failureOf(changeReplicas(decision, owner, context))
    const now = context.environment.clock.now()
    const status = replicaStatus(observation, { failure, now })
    if (!sameJson(status as JsonValue, owner.status as JsonValue)) {
      const owners = context.client.resource(kind.schema).in(owner.metadata.namespace!)
      await owners.subresource('status').update({ ...owner, status })
    }
    if (failure !== undefined) throw failure
    const requeueAfter = nextAvailability(active, owner.spec.minReadySeconds ?? 0, now)
    return requeueAfter === undefined ? undefined : { requeueAfter }
  }
}

async function failureOf(work: Promise<void>): Promise<unknown> {
  try {
    return await work
  } catch (error) {
    return error
  }
}

async function changeReplicas(
  decision: ReplicaDecision,
  owner: ReplicaOwner,
  context: ReconcileContext,
): Promise<void> {
  if (decision.do === 'create') await createReplicas(decision.count, owner, context)
  if (decision.do === 'delete') await settleAll(decision.pods.map((pod) => deletePod(pod, owner, context)))
}

async function createReplicas(count: number, owner: ReplicaOwner, context: ReconcileContext): Promise<void> {
  const pod = podFromTemplate(owner.spec.template ?? {}, owner)
  try {
    await slowStart(count, () => createPod(pod, owner, context))
  } catch (error) {
    // A retry would fail as well.
    if (!isNamespaceTerminating(error)) throw error
  }
}
