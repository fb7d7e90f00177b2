import { ImageCounts } from './image-counts.js'
import { NameSet } from './name-set.js'
import type { NodeInfo } from './node-info.js'
import { ClusterSnapshot, nodeIndexes } from './snapshot.js'
import { interleaveZones, nodeZone } from './zones.js'

/** The nodes, from which snapshots are made: what has not changed since the last one is taken over. */
export class NodeTable {
  readonly #nodes = new Map<string, NodeInfo>()
  readonly #images = new ImageCounts()
  readonly #withAffinity = new NameSet()
  readonly #withRequiredAntiAffinity = new NameSet()
  /** The nodes in the order of snapshots, and where each is in it; not true while `#isReordered`. */
  #order: NodeInfo[] = []
  #places: ReadonlyMap<string, number> = new Map()
  #isReordered = false
  #snapshot: ClusterSnapshot | undefined

  get(name: string): NodeInfo | undefined {
    return this.#nodes.get(name)
  }

  put(node: NodeInfo): void {
    const old = this.#nodes.get(node.name)
    if (old === node) return
    this.#nodes.set(node.name, node)
    if (old?.images !== node.images) this.#images.replace(old?.images, node.images)
    this.#withAffinity.put(node.name, node.podsWithAffinity.length > 0)
    this.#withRequiredAntiAffinity.put(node.name, node.podsWithRequiredAntiAffinity.length > 0)
    this.#snapshot = undefined
    if (!old || (old.labels !== node.labels && nodeZone(old) !== nodeZone(node))) this.#isReordered = true
    else if (!this.#isReordered) this.#order[this.#places.get(node.name)!] = node
  }

  remove(name: string): void {
    const old = this.#nodes.get(name)
    if (!old) return
    this.#nodes.delete(name)
    this.#images.replace(old.images, undefined)
    this.#withAffinity.put(name, false)
    this.#withRequiredAntiAffinity.put(name, false)
    this.#snapshot = undefined
    this.#isReordered = true
  }

  snapshot(): ClusterSnapshot {
    if (this.#snapshot) return this.#snapshot
    if (this.#isReordered) this.#reorder()
    this.#snapshot = new ClusterSnapshot([...this.#order], this.#places, this.#images.counts(), {
      withAffinity: this.#withAffinity.names(),
      withRequiredAntiAffinity: this.#withRequiredAntiAffinity.names(),
    })
    return this.#snapshot
  }

  #reorder(): void {
    this.#order = interleaveZones(this.#nodes.values())
    this.#places = nodeIndexes(this.#order)
    this.#isReordered = false
  }
}
