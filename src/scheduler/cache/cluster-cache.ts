import type { Node } from '../../api/core/v1/node.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { NodeInfo } from './node-info.js'
import { NodeTable } from './node-table.js'
import { PodInfo } from './pod-info.js'
import type { ClusterSnapshot } from './snapshot.js'

/** A pod that counts on a node. */
interface Placed {
  readonly info: PodInfo
  readonly nodeName: string
  /** Nobody has said so yet but this scheduler. */
  readonly isAssumed: boolean
}

/**
 * Nodes and the pods on them, as the informers tell, and one step ahead of them: a pod counts from the moment at which it was decided where
 * it goes. It is in here once, whoever has said so and however often, and counts until it is said that it is gone or that it did not go
 * there. Nothing expires: a binding of which nobody knows how it ended may yet take place.
 */
export class ClusterCache {
  readonly #table = new NodeTable()
  /** By uid. */
  readonly #pods = new Map<string, Placed>()
  /** Pods on nodes that are not known, or not any more, by the name of the node. No entry is empty. */
  readonly #homeless = new Map<string, Map<string, PodInfo>>()

  /** All nodes as they are now. The same as before if nothing has changed. */
  snapshot(): ClusterSnapshot {
    return this.#table.snapshot()
  }

  get podCount(): number {
    return this.#pods.size
  }

  putNode(node: Node): void {
    const name = node.metadata.name!
    const known = this.#table.get(name)
    this.#table.put(known?.withNode(node) ?? NodeInfo.of(node, this.#homeless.get(name)?.values()))
    this.#homeless.delete(name)
  }

  /** Its pods are still there, until somebody says otherwise. */
  removeNode(name: string): void {
    for (const pod of this.#table.get(name)?.pods ?? []) this.#shelter(name).set(pod.uid, pod)
    this.#table.remove(name)
  }

  /** A pod of which the server says that it is on a node. If it was assumed, it is now confirmed, wherever it is. */
  putPod(pod: Pod): void {
    const uid = pod.metadata.uid!
    const known = this.#pods.get(uid)
    this.#take(uid)
    const info = known?.info.updated(pod) ?? new PodInfo(pod)
    this.#put({ info, nodeName: pod.spec.nodeName!, isAssumed: false })
  }

  removePod(uid: string): void {
    this.#take(uid)
  }

  /** From now on the pod counts on that node. */
  assume(pod: PodInfo, nodeName: string): void {
    if (this.#pods.has(pod.uid)) throw new Error(`pod ${pod.key} is already in the cache, so it cannot be assumed`)
    this.#put({ info: pod.on(nodeName), nodeName, isAssumed: true })
  }

  /** It did not get there. Does nothing if it was confirmed in the meantime. */
  forget(uid: string): void {
    if (this.isAssumed(uid)) this.#take(uid)
  }

  isAssumed(uid: string): boolean {
    return this.#pods.get(uid)?.isAssumed ?? false
  }

  /** On which node the pod counts, if on any. */
  nodeOf(uid: string): string | undefined {
    return this.#pods.get(uid)?.nodeName
  }

  #put(placed: Placed): void {
    const { info, nodeName } = placed
    this.#pods.set(info.uid, placed)
    const node = this.#table.get(nodeName)
    if (node) this.#table.put(node.withPod(info))
    else this.#shelter(nodeName).set(info.uid, info)
  }

  #take(uid: string): void {
    const placed = this.#pods.get(uid)
    if (!placed) return
    const { nodeName } = placed
    this.#pods.delete(uid)
    const node = this.#table.get(nodeName)
    if (node) this.#table.put(node.withoutPod({ uid }))
    const shelter = this.#homeless.get(nodeName)
    if (shelter?.delete(uid) && shelter.size === 0) this.#homeless.delete(nodeName)
  }

  #shelter(nodeName: string): Map<string, PodInfo> {
    let shelter = this.#homeless.get(nodeName)
    if (!shelter) {
      shelter = new Map()
      this.#homeless.set(nodeName, shelter)
    }
    return shelter
  }
}
