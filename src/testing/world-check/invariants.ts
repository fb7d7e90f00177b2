import type { DaemonSet } from '../../api/apps/v1/daemon-set.js'
import type { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import type { Job } from '../../api/batch/v1/job.js'
import type { PersistentVolume } from '../../api/core/v1/persistent-volume.js'
import type { PersistentVolumeClaim } from '../../api/core/v1/persistent-volume-claim.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { Service } from '../../api/core/v1/service.js'
import type { KubeObject } from '../../api/kube-object.js'
import { titleOf, type WorldSnapshot } from './cluster-snapshot.js'

/** Something that is true of every cluster that has come to rest. */
export interface Invariant {
  readonly name: string
  /** The loop that sees to it: without that one, nobody promises it. */
  readonly controller?: string
  /** Returns one sentence for each violation. */
  readonly violations: (snapshot: WorldSnapshot) => Iterable<string>
}

/** A new invariant is a new line here. Invariants are independent of each other. */
export const invariants: readonly Invariant[] = [
  { name: 'names are unique', violations: sameNames },
  { name: 'namespaces exist', violations: missingNamespaces },
  { name: 'owners exist', controller: 'garbage-collector-controller', violations: orphans },
  { name: 'what can go is gone', violations: lingering },
  ...noSurplusPods(),
  { name: 'a daemon set has one pod on a node', controller: 'daemonset-controller', violations: duplicateDaemons },
  ...currentStatuses(),
  { name: 'pod addresses are unique', violations: sharedPodAddresses },
  { name: 'service addresses are unique', violations: sharedServiceAddresses },
  { name: 'claims and volumes belong together', violations: inconsistentClaims },
]

function* sameNames({ objects }: WorldSnapshot): Iterable<string> {
  yield* shared(objects, (object) => [`${object.apiVersion.split('/').at(-2) ?? ''} ${titleOf(object)}`])
}

function* missingNamespaces(snapshot: WorldSnapshot): Iterable<string> {
  const namespaces = new Set(snapshot.of('Namespace').map(({ metadata }) => metadata.name))
  for (const object of snapshot.objects) {
    const { namespace } = object.metadata
    if (namespace && !namespaces.has(namespace)) yield `${titleOf(object)} is in a namespace that does not exist`
  }
}

/** The garbage collector deletes objects without owners, and removes references to deleted owners from objects with other owners. */
function* orphans(snapshot: WorldSnapshot): Iterable<string> {
  for (const object of snapshot.objects) {
    if (isTerminating(object)) continue
    for (const { kind, name, uid } of object.metadata.ownerReferences ?? []) {
      const owner = snapshot.withUid(uid)
      if (!owner) yield `${titleOf(object)} has an owner that does not exist: ${kind} ${name}`
      else if (owner.kind !== kind || owner.metadata.name !== name)
        yield `${titleOf(object)} takes ${titleOf(owner)} for ${kind} ${name}`
    }
  }
}

function* lingering({ objects }: WorldSnapshot): Iterable<string> {
  for (const object of objects) {
    const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata
    const isHeld = finalizers.length > 0 || object.kind === 'Namespace' // the finalizers of a namespace are in its spec
    if (deletionTimestamp && deletionGracePeriodSeconds === 0 && !isHeld)
      yield `${titleOf(object)} was deleted, nothing holds it, and it is there`
  }
}

/** The maximum number of active pods for each kind of workload. */
function noSurplusPods(): readonly Invariant[] {
  const wanted: Readonly<Record<string, (controller: KubeObject) => number>> = {
    ReplicaSet: replicas,
    ReplicationController: replicas,
    StatefulSet: replicas,
    Job: parallelism,
  }
  return Object.entries(wanted).map(([kind, most]) => ({
    name: `no ${kind} has more pods than it wants`,
    keptBy: `${kind.toLowerCase()}-controller`,
    *violations(snapshot) {
      for (const controller of snapshot.of(kind).filter((each) => !isTerminating(each))) {
        const { length } = activePods(snapshot.controlledBy(controller))
        if (length > most(controller)) yield `${titleOf(controller)} wants ${most(controller)} pods and has ${length}`
      }
    },
  }))
}

function replicas(controller: KubeObject): number {
  return (controller as unknown as ReplicaSet).spec.replicas ?? 1
}

function parallelism(controller: KubeObject): number {
  const { spec, status } = controller as unknown as Job
  const isOver = status?.conditions?.some(
    ({ type, status: is }) => is === 'True' && (type === 'Complete' || type === 'Failed'),
  )
  return isOver || spec.suspend ? 0 : (spec.parallelism ?? 1)
}

/** Each controller has written the status of the latest generation. */
function currentStatuses(): readonly Invariant[] {
  return ['Deployment', 'ReplicaSet', 'ReplicationController', 'StatefulSet', 'DaemonSet'].map((kind) => ({
    name: `the status of a ${kind} is about its present generation`,
    keptBy: `${kind.toLowerCase()}-controller`,
    *violations(snapshot) {
      for (const object of snapshot.of(kind).filter((each) => !isTerminating(each))) {
        const { generation } = object.metadata
        const { observedGeneration } = (object as unknown as ReplicaSet).status ?? {}
        if (observedGeneration !== generation)
          yield `${titleOf(object)} is at generation ${generation}, its status at ${observedGeneration}`
      }
    },
  }))
}

function* duplicateDaemons(snapshot: WorldSnapshot): Iterable<string> {
  for (const controller of snapshot.of('DaemonSet')) {
    const { maxSurge = 0 } = (controller as unknown as DaemonSet).spec.updateStrategy?.rollingUpdate ?? {}
    if (maxSurge !== 0 && maxSurge !== '0%') continue // two pods on a node are allowed during an update
    const pods = activePods(snapshot.controlledBy(controller))
    yield* shared(pods, ({ spec }) => (spec.nodeName ? [`${titleOf(controller)} on ${spec.nodeName}`] : []))
  }
}

function* sharedPodAddresses(snapshot: WorldSnapshot): Iterable<string> {
  const own = activePods(snapshot.objects).filter(({ spec }) => !spec.hostNetwork)
  yield* shared(own, ({ status }) => status?.podIPs?.map(({ ip }) => `address ${ip}`) ?? [])
}

function* sharedServiceAddresses(snapshot: WorldSnapshot): Iterable<string> {
  const services = snapshot.of('Service') as unknown as readonly Service[]
  yield* shared(services, ({ spec }) =>
    (spec?.clusterIPs ?? []).filter((address) => address !== 'None').map((address) => `address ${address}`),
  )
  yield* shared(services, ({ spec }) =>
    (spec?.ports ?? []).flatMap(({ nodePort, protocol }) => (nodePort ? [`node port ${nodePort} ${protocol}`] : [])),
  )
}

function* inconsistentClaims(snapshot: WorldSnapshot): Iterable<string> {
  const volumes = snapshot.of('PersistentVolume') as unknown as readonly PersistentVolume[]
  const byName = new Map(volumes.map((volume) => [volume.metadata.name, volume]))
  for (const object of snapshot.of('PersistentVolumeClaim')) {
    const { status, spec, metadata } = object as unknown as PersistentVolumeClaim
    if (status?.phase !== 'Bound') continue
    const claimed = byName.get(spec?.volumeName ?? '')?.spec?.claimRef?.uid
    if (claimed !== metadata.uid) yield `${titleOf(object)} is bound to ${spec?.volumeName}, which is not bound to it`
  }
}

/** Returns the pods that are neither finished nor terminating. */
function activePods(objects: readonly KubeObject[]): readonly Pod[] {
  const pods = objects.filter((object) => object.kind === 'Pod' && !isTerminating(object)) as unknown as readonly Pod[]
  return pods.filter(({ status }) => status?.phase !== 'Succeeded' && status?.phase !== 'Failed')
}

function isTerminating({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined
}

/** Reports every claim that more than one object makes. */
function* shared<T>(objects: readonly T[], claims: (object: T) => readonly string[]): Iterable<string> {
  const owners = new Map<string, T[]>()
  for (const object of objects)
    for (const claim of new Set(claims(object))) owners.set(claim, [...(owners.get(claim) ?? []), object])
  for (const [claim, all] of owners)
    if (all.length > 1)
      yield `${claim.trim()} is that of ${all.map((each) => titleOf(each as unknown as KubeObject)).join(' and ')}`
}
