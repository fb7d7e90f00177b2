import type { PodInfo } from '../cache/pod-info.js'
import type { NominatedPods } from '../framework/plugin.js'

const none: readonly PodInfo[] = []

/** Which pods are nominated to which node. A pod has at most one nomination. */
export class Nominator implements NominatedPods {
  readonly #byNode = new Map<string, readonly PodInfo[]>()
  /** Node names by uid of the pod. */
  readonly #nodes = new Map<string, string>()

  onNode(nodeName: string): readonly PodInfo[] {
    return this.#byNode.get(nodeName) ?? none
  }

  nodeOf(uid: string): string | undefined {
    return this.#nodes.get(uid)
  }

  /** Replaces the nomination of the pod. @param nodeName empty or undefined for none */
  put(pod: PodInfo, nodeName: string | undefined): void {
    this.remove(pod.uid)
    if (!nodeName) return
    this.#nodes.set(pod.uid, nodeName)
    this.#byNode.set(nodeName, [...this.onNode(nodeName), pod])
  }

  remove(uid: string): void {
    const nodeName = this.#nodes.get(uid)
    if (nodeName === undefined) return
    this.#nodes.delete(uid)
    const others = this.onNode(nodeName).filter((pod) => pod.uid !== uid)
    if (others.length === 0) this.#byNode.delete(nodeName)
    else this.#byNode.set(nodeName, others)
  }
}
