import { Pod } from '../../api/core/v1/pod.js'
import { concernsAdopters } from '../pods/orphans.js'
import { nextAvailability } from '../pods/readiness.js'
import { controller } from '../runtime/builder.js'
import type { Controller } from '../runtime/controller.js'
import type { ReconcileResult } from '../runtime/reconcile.js'
import { changeReplicas, writeStatus } from './acting.js'
import { type Look, type ReplicaKind, replicaSets } from './replica-kind.js'
import { claimedPods, terminatingPods } from './replicas.js'

export function replicaSetController(): Controller {
  return replicaController(replicaSets)
}

/** A loop that keeps as many pods as its objects ask for. */
export function replicaController(kind: ReplicaKind): Controller {
  return controller(kind.name)
    .for(kind.schema)
    .owns(Pod)
    .watches(Pod, concernsAdopters(kind.schema, kind.selectorOf))
    .workers(5)
    .reconcile(async (key, context) => {
      const owner = context.informers.of(kind.schema).get(key)
      return owner && lookAt({ kind, owner, context })
    })
}

async function lookAt(look: Look): Promise<ReconcileResult | undefined> {
  const { owner, context } = look
  const active = await claimedPods(look)
  const terminating = terminatingPods(look)
  const failure = await failureOf(changeReplicas(look, active))
  const now = context.environment.clock.now()
  await writeStatus(look, { active, terminating, failure, now })
  if (failure !== undefined) throw failure
  const requeueAfter = nextAvailability(active, owner.spec.minReadySeconds ?? 0, now)
  return requeueAfter === undefined ? undefined : { requeueAfter }
}

/** What went wrong: the status tells of it before anybody else does. */
async function failureOf(work: Promise<void>): Promise<unknown> {
  try {
    return await work
  } catch (error) {
    return error
  }
}
