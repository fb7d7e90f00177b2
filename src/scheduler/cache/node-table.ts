import type { NodeInfo } from './node-info.js'
import { ClusterSnapshot, nodeIndexes } from './snapshot.js'
import { interleaveZones, nodeZone } from './zones.js'

/** The nodes of the cluster. Makes snapshots, which share what has not changed between them. */
export class NodeTable {
  readonly #nodes = new Map<string, NodeInfo>()
  readonly #images = new ImageCounts()
  readonly #withAffinity = new NameSet()
  readonly #withRequiredAntiAffinity = new NameSet()
  /** The nodes in the order of snapshots, and their indexes. Out of date while `#isReordered`. */
  #order: NodeInfo[] = []
  #indexes: ReadonlyMap<string, number> = new Map()
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
    else if (!this.#isReordered) this.#order[this.#indexes.get(node.name)!] = node
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
    this.#snapshot = new ClusterSnapshot([...this.#order], this.#indexes, this.#images.counts(), {
      withAffinity: this.#withAffinity.names(),
      withRequiredAntiAffinity: this.#withRequiredAntiAffinity.names(),
    })
    return this.#snapshot
  }

  #reorder(): void {
    this.#order = interleaveZones(this.#nodes.values())
    this.#indexes = nodeIndexes(this.#order)
    this.#isReordered = false
  }
}

/** How many nodes have each image. */
class ImageCounts {
  readonly #counts = new Map<string, number>()
  /** A copy that was handed out and is still up to date. */
  #copy: ReadonlyMap<string, number> | undefined

  /** Replaces the images of one node. */
  replace(old: ReadonlyMap<string, number> | undefined, images: ReadonlyMap<string, number> | undefined): void {
    for (const name of old?.keys() ?? []) if (!images?.has(name)) this.#add(name, -1)
    for (const name of images?.keys() ?? []) if (!old?.has(name)) this.#add(name, 1)
  }

  /** A copy that never changes. */
  counts(): ReadonlyMap<string, number> {
    this.#copy ??= new Map(this.#counts)
    return this.#copy
  }

  #add(name: string, nodes: number): void {
    const count = (this.#counts.get(name) ?? 0) + nodes
    if (count === 0) this.#counts.delete(name)
    else this.#counts.set(name, count)
    this.#copy = undefined
  }
}

/** A set of node names. */
class NameSet {
  readonly #names = new Set<string>()
  #copy: readonly string[] | undefined

  put(name: string, isMember: boolean): void {
    if (this.#names.has(name) === isMember) return
    if (isMember) this.#names.add(name)
    else this.#names.delete(name)
    this.#copy = undefined
  }

  /** A copy that never changes. */
  names(): readonly string[] {
    this.#copy ??= [...this.#names]
    return this.#copy
  }
}
