import { Deployment } from '../../api/apps/v1/deployment.js'
import { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import { StatefulSet } from '../../api/apps/v1/stateful-set.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { ReplicationController } from '../../api/core/v1/replication-controller.js'
import type { OwnerReference } from '../../api/meta/v1/object-meta.js'
import type { AnyObject } from '../../client/resource-client.js'
import { controllerOf } from '../runtime/owners.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import { scaleOf } from './scale.js'

type Hands = Pick<ReconcileContext, 'client' | 'informers'>

export interface Expected {
  readonly count: number
  /** There are pods that nobody makes: how many of them there should be cannot be told. */
  readonly hasUnmanaged: boolean
}

/** How many pods there should be: each who makes some of these counts once, with its size. */
export async function expectedPods(pods: Iterable<Pod>, hands: Hands): Promise<Expected> {
  const sizes = new Map<string, number>()
  const asked = new Set<string>()
  let hasUnmanaged = false
  for (const pod of pods) {
    const owner = controllerOf(pod)
    if (!owner) hasUnmanaged = true
    if (!owner || asked.has(owner.uid)) continue
    asked.add(owner.uid)
    const maker = await makerOf(owner, pod.metadata.namespace!, hands)
    if (!maker) throw new Error(`found no controllers for pod "${pod.metadata.name}"`)
    sizes.set(maker.uid, maker.size)
  }
  return { count: [...sizes.values()].reduce((sum, size) => sum + size, 0), hasUnmanaged }
}

interface Maker {
  readonly uid: string
  readonly size: number
}

async function makerOf(owner: OwnerReference, namespace: string, hands: Hands): Promise<Maker | undefined> {
  const known = knownMaker(owner, namespace, hands)
  if (known) return known
  const size = await scaleOf(hands.client, owner, namespace)
  return size === undefined ? undefined : { uid: owner.uid, size }
}

/** By informers, where there are some. A ReplicaSet of a Deployment does as that says, which is what counts. */
function knownMaker(owner: OwnerReference, namespace: string, { informers }: Hands): Maker | undefined {
  const key = (name: string) => `${namespace}/${name}`
  if (isOf(owner, 'ReplicationController', ''))
    return sized(informers.of(ReplicationController).get(key(owner.name)), owner)
  if (isOf(owner, 'StatefulSet', 'apps')) return sized(informers.of(StatefulSet).get(key(owner.name)), owner)
  if (!isOf(owner, 'ReplicaSet', 'apps')) return undefined
  const set = informers.of(ReplicaSet).get(key(owner.name))
  const its = set && controllerOf(set)
  if (its?.kind !== 'Deployment') return sized(set, owner)
  return sized(informers.of(Deployment).get(key(its.name)), its)
}

function isOf({ apiVersion, kind }: OwnerReference, wanted: string, group: string): boolean {
  return kind === wanted && apiVersion.slice(0, Math.max(apiVersion.indexOf('/'), 0)) === group
}

interface Sized extends AnyObject {
  readonly spec?: { readonly replicas?: number }
}

function sized(object: Sized | undefined, { uid }: OwnerReference): Maker | undefined {
  return object?.metadata.uid === uid ? { uid, size: object.spec?.replicas ?? 1 } : undefined
}
