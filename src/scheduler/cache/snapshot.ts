import type { NodeInfo } from './node-info.js'

const noImages: ReadonlyMap<string, number> = new Map()

/** Names of the nodes that InterPodAffinity has to look at. */
export interface AffinityNodes {
  readonly withAffinity: readonly string[]
  readonly withRequiredAntiAffinity: readonly string[]
}

/** All nodes at one moment. Immutable: a decision is a function of it, and can be repeated. */
export class ClusterSnapshot {
  /** In the order in which they are filtered: one of each zone in turn. */
  readonly nodes: readonly NodeInfo[]
  readonly #indexes: ReadonlyMap<string, number>
  readonly #imageNodes: ReadonlyMap<string, number>
  readonly #affinityNodes: AffinityNodes
  #withAffinity: readonly NodeInfo[] | undefined
  #withRequiredAntiAffinity: readonly NodeInfo[] | undefined

  /**
   * @param indexes of the nodes in `nodes`, by name
   * @param imageNodes how many nodes have each image
   */
  constructor(
    nodes: readonly NodeInfo[],
    indexes: ReadonlyMap<string, number> = nodeIndexes(nodes),
    imageNodes: ReadonlyMap<string, number> = noImages,
    affinityNodes: AffinityNodes = findAffinityNodes(nodes),
  ) {
    this.nodes = nodes
    this.#indexes = indexes
    this.#imageNodes = imageNodes
    this.#affinityNodes = affinityNodes
  }

  get size(): number {
    return this.nodes.length
  }

  get(name: string): NodeInfo | undefined {
    const index = this.#indexes.get(name)
    return index === undefined ? undefined : this.nodes[index]
  }

  /** Nodes with a pod that has affinity or anti-affinity terms. */
  get withAffinity(): readonly NodeInfo[] {
    this.#withAffinity ??= this.#affinityNodes.withAffinity.map((name) => this.get(name)!)
    return this.#withAffinity
  }

  get withRequiredAntiAffinity(): readonly NodeInfo[] {
    this.#withRequiredAntiAffinity ??= this.#affinityNodes.withRequiredAntiAffinity.map((name) => this.get(name)!)
    return this.#withRequiredAntiAffinity
  }

  /** How many nodes have the image. */
  imageNodes(image: string): number {
    return this.#imageNodes.get(image) ?? 0
  }
}

export function nodeIndexes(nodes: readonly NodeInfo[]): ReadonlyMap<string, number> {
  return new Map(nodes.map(({ name }, index) => [name, index]))
}

function findAffinityNodes(nodes: readonly NodeInfo[]): AffinityNodes {
  const names = (isWanted: (node: NodeInfo) => boolean) => nodes.filter(isWanted).map(({ name }) => name)
  return {
    withAffinity: names(({ podsWithAffinity }) => podsWithAffinity.length > 0),
    withRequiredAntiAffinity: names(({ podsWithRequiredAntiAffinity }) => podsWithRequiredAntiAffinity.length > 0),
  }
}
