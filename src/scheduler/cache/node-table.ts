import { ImageCounts } from './image-counts.js'
import { NameSet } from './name-set.js'
import type { NodeInfo } from './node-info.js'
import { placesOf, Snapshot } from './snapshot.js'
import { interleaved, zoneOf } from './zones.js'

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
  #snapshot: Snapshot | undefined

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
    if (!old || (old.labels !== node.labels && zoneOf(old) !== zoneOf(node))) this.#isReordered = true
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

  snapshot(): Snapshot {
    if (this.#snapshot) return this.#snapshot
    if (this.#isReordered) this.#reorder()
    this.#snapshot = new Snapshot([...this.#order], this.#places, this.#images.counts(), {
      withAffinity: this.#withAffinity.names(),
      withRequiredAntiAffinity: this.#withRequiredAntiAffinity.names(),
    })
    return this.#snapshot
  }

  #reorder(): void {
    this.#order = interleaved(this.#nodes.values())
    this.#places = placesOf(this.#order)
    this.#isReordered = false
  }
}
