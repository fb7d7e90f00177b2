import type { NodeInfo } from './node-info.js'

const noImages: ReadonlyMap<string, number> = new Map()

/** Names of the nodes of each kind. */
export interface AffinityNodes {
  readonly withAffinity: readonly string[]
  readonly withRequiredAntiAffinity: readonly string[]
}

/** All nodes at one moment. Never changed: a decision is a function of it, and can be made again from it. */
export class ClusterSnapshot {
  /** In the order in which they are looked at: one of each zone in turn. */
  readonly nodes: readonly NodeInfo[]
  readonly #places: ReadonlyMap<string, number>
  readonly #imageNodes: ReadonlyMap<string, number>
  readonly #social: AffinityNodes
  #withAffinity: readonly NodeInfo[] | undefined
  #withRequiredAntiAffinity: readonly NodeInfo[] | undefined

  /**
   * @param places where in `nodes` the node of each name is
   * @param imageNodes on how many nodes the image of each name is
   * @param social where there are pods that say anything of other pods, if that is known already
   */
  constructor(
    nodes: readonly NodeInfo[],
    places: ReadonlyMap<string, number> = nodeIndexes(nodes),
    imageNodes: ReadonlyMap<string, number> = noImages,
    social: AffinityNodes = socialNodes(nodes),
  ) {
    this.nodes = nodes
    this.#places = places
    this.#imageNodes = imageNodes
    this.#social = social
  }

  get size(): number {
    return this.nodes.length
  }

  get(name: string): NodeInfo | undefined {
    const place = this.#places.get(name)
    return place === undefined ? undefined : this.nodes[place]
  }

  /** Nodes on which some pod says anything of other pods. */
  get withAffinity(): readonly NodeInfo[] {
    this.#withAffinity ??= this.#social.withAffinity.map((name) => this.get(name)!)
    return this.#withAffinity
  }

  /** Nodes on which some pod will have no others of some kind near. */
  get withRequiredAntiAffinity(): readonly NodeInfo[] {
    this.#withRequiredAntiAffinity ??= this.#social.withRequiredAntiAffinity.map((name) => this.get(name)!)
    return this.#withRequiredAntiAffinity
  }

  /** On how many nodes an image of that name is. */
  imageNodes(image: string): number {
    return this.#imageNodes.get(image) ?? 0
  }
}

export function nodeIndexes(nodes: readonly NodeInfo[]): ReadonlyMap<string, number> {
  return new Map(nodes.map(({ name }, place) => [name, place]))
}

function socialNodes(nodes: readonly NodeInfo[]): AffinityNodes {
  const named = (isMeant: (node: NodeInfo) => boolean) => nodes.filter(isMeant).map(({ name }) => name)
  return {
    withAffinity: named(({ podsWithAffinity }) => podsWithAffinity.length > 0),
    withRequiredAntiAffinity: named(({ podsWithRequiredAntiAffinity }) => podsWithRequiredAntiAffinity.length > 0),
  }
}
