import type { Node } from '../../api/core/v1/node.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { AffinityTermsCache } from './affinity-terms.js'
import { NodeInfo } from './node-info.js'
import { NodeTable } from './node-table.js'
import { PodInfo } from './pod-info.js'
import type { ClusterSnapshot } from './snapshot.js'

/** A pod that counts on a node. */
interface AssignedPod {
  readonly info: PodInfo
  readonly nodeName: string
  /** The API server has not confirmed it yet. */
  readonly isAssumed: boolean
}

/**
 * Nodes and the pods on them, as the informers report them, plus assumed pods: a pod counts on its node from the moment of the decision.
 * A pod is in here at most once. It counts until it is reported deleted or its binding has failed. Assumed pods do not expire: a binding
 * of unknown result may still take effect.
 */
export class ClusterCache {
  readonly #affinityTerms: AffinityTermsCache
  readonly #table = new NodeTable()
  /** By uid. */
  readonly #pods = new Map<string, AssignedPod>()
  /** Pods of nodes that are not known, by node name, then by uid. No entry is empty. */
  readonly #podsOfUnknownNodes = new Map<string, Map<string, PodInfo>>()

  constructor(affinityTerms = new AffinityTermsCache()) {
    this.#affinityTerms = affinityTerms
  }

  /** The current state. The same object as before if nothing has changed. */
  snapshot(): ClusterSnapshot {
    return this.#table.snapshot()
  }

  get podCount(): number {
    return this.#pods.size
  }

  putNode(node: Node): void {
    const name = node.metadata.name!
    const known = this.#table.get(name)
    this.#table.put(known?.withNode(node) ?? NodeInfo.of(node, this.#podsOfUnknownNodes.get(name)?.values()))
    this.#podsOfUnknownNodes.delete(name)
  }

  /** The pods of the node stay until they are reported deleted. */
  removeNode(name: string): void {
    for (const pod of this.#table.get(name)?.pods ?? []) this.#podsOfUnknownNode(name).set(pod.uid, pod)
    this.#table.remove(name)
  }

  /** Adds or updates a pod that is bound. If it was assumed, it is now confirmed, on whichever node. */
  putPod(pod: Pod): void {
    const uid = pod.metadata.uid!
    const known = this.#pods.get(uid)
    this.#delete(uid)
    const info = known?.info.updated(pod, this.#affinityTerms) ?? new PodInfo(pod, this.#affinityTerms)
    this.#add({ info, nodeName: pod.spec.nodeName!, isAssumed: false })
  }

  removePod(uid: string): void {
    this.#delete(uid)
  }

  /** From now on the pod counts on that node. */
  assume(pod: PodInfo, nodeName: string): void {
    if (this.#pods.has(pod.uid)) throw new Error(`pod ${pod.key} is already in the cache, so it cannot be assumed`)
    this.#add({ info: pod.on(nodeName), nodeName, isAssumed: true })
  }

  /** The binding has failed. Does nothing if the pod was confirmed in the meantime. */
  forget(uid: string): void {
    if (this.isAssumed(uid)) this.#delete(uid)
  }

  isAssumed(uid: string): boolean {
    return this.#pods.get(uid)?.isAssumed ?? false
  }

  /** The name of the node on which the pod counts. */
  nodeOf(uid: string): string | undefined {
    return this.#pods.get(uid)?.nodeName
  }

  #add(assigned: AssignedPod): void {
    const { info, nodeName } = assigned
    this.#pods.set(info.uid, assigned)
    const node = this.#table.get(nodeName)
    if (node) this.#table.put(node.withPod(info))
    else this.#podsOfUnknownNode(nodeName).set(info.uid, info)
  }

  #delete(uid: string): void {
    const assigned = this.#pods.get(uid)
    if (!assigned) return
    const { nodeName } = assigned
    this.#pods.delete(uid)
    const node = this.#table.get(nodeName)
    if (node) this.#table.put(node.withoutPod({ uid }))
    const pods = this.#podsOfUnknownNodes.get(nodeName)
    if (pods?.delete(uid) && pods.size === 0) this.#podsOfUnknownNodes.delete(nodeName)
  }

  #podsOfUnknownNode(nodeName: string): Map<string, PodInfo> {
    let pods = this.#podsOfUnknownNodes.get(nodeName)
    if (!pods) {
      pods = new Map()
      this.#podsOfUnknownNodes.set(nodeName, pods)
    }
    return pods
  }
}
