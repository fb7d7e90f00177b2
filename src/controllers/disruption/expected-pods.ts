import { Deployment } from '../../api/apps/v1/deployment.js'
import { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import { StatefulSet } from '../../api/apps/v1/stateful-set.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { ReplicationController } from '../../api/core/v1/replication-controller.js'
import type { OwnerReference } from '../../api/meta/v1/object-meta.js'
import type { AnyObject } from '../../client/resource-client.js'
import { controllerOf } from '../runtime/owners.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import { scaleReplicas } from './scale.js'

type LookupContext = Pick<ReconcileContext, 'client' | 'informers'>

export interface ExpectedPods {
  readonly count: number
  /** Whether some pods have no controller: then it is unknown how many there should be. */
  readonly hasUnmanaged: boolean
}

/** Adds up the replicas of the controllers of these pods. Throws if one of them does not exist. */
export async function expectedPods(pods: Iterable<Pod>, context: LookupContext): Promise<ExpectedPods> {
  const replicas = new Map<string, number>()
  const known = new Set<string>()
  let hasUnmanaged = false
  for (const pod of pods) {
    const owner = controllerOf(pod)
    if (!owner) hasUnmanaged = true
    if (!owner || known.has(owner.uid)) continue
    known.add(owner.uid)
    const scale = await ownerScale(owner, pod.metadata.namespace!, context)
    if (!scale) throw new Error(`found no controllers for pod "${pod.metadata.name}"`)
    replicas.set(scale.uid, scale.replicas)
  }
  return { count: [...replicas.values()].reduce((sum, each) => sum + each, 0), hasUnmanaged }
}

/** The replicas of an owner of pods. */
interface OwnerScale {
  readonly uid: string
  readonly replicas: number
}

async function ownerScale(
  owner: OwnerReference,
  namespace: string,
  context: LookupContext,
): Promise<OwnerScale | undefined> {
  const known = knownOwnerScale(owner, namespace, context)
  if (known) return known
  const replicas = await scaleReplicas(context.client, owner, namespace)
  return replicas === undefined ? undefined : { uid: owner.uid, replicas }
}

/** From the informers, for the kinds that have one. For a ReplicaSet of a Deployment, the Deployment counts. */
function knownOwnerScale(
  owner: OwnerReference,
  namespace: string,
  { informers }: LookupContext,
): OwnerScale | undefined {
  const key = (name: string) => `${namespace}/${name}`
  if (isOf(owner, 'ReplicationController', ''))
    return scaleOf(informers.of(ReplicationController).get(key(owner.name)), owner)
  if (isOf(owner, 'StatefulSet', 'apps')) return scaleOf(informers.of(StatefulSet).get(key(owner.name)), owner)
  if (!isOf(owner, 'ReplicaSet', 'apps')) return undefined
  const set = informers.of(ReplicaSet).get(key(owner.name))
  const deployment = set && controllerOf(set)
  if (deployment?.kind !== 'Deployment') return scaleOf(set, owner)
  return scaleOf(informers.of(Deployment).get(key(deployment.name)), deployment)
}

function isOf({ apiVersion, kind }: OwnerReference, wanted: string, group: string): boolean {
  return kind === wanted && apiVersion.slice(0, Math.max(apiVersion.indexOf('/'), 0)) === group
}

interface ScaledObject extends AnyObject {
  readonly spec?: { readonly replicas?: number }
}

function scaleOf(object: ScaledObject | undefined, { uid }: OwnerReference): OwnerScale | undefined {
  return object?.metadata.uid === uid ? { uid, replicas: object.spec?.replicas ?? 1 } : undefined
}
