import type { ObjectMeta, OwnerReference } from '../../api/meta/v1/object-meta.js'
import type { ResourceLocation } from '../../client/resource-location.js'
import { areSameOwners, isElsewhere, isOrphaning, isWaiting, matches, type Observed, ownersOf } from './references.js'

/** An object among its owners and dependents. */
export interface GraphNode {
  readonly uid: string
  /** Undefined as long as it is only known from those who name it as their owner: it may be gone, or yet to be seen. */
  readonly known: Observed | undefined
  /** Who names it as an owner, rightly or not. */
  readonly dependents: ReadonlySet<GraphNode>
}

export interface GraphListener {
  /** Something has changed that may decide about the object with this uid. */
  concerned(uid: string): void
  /** An object names an owner in a namespace that is not its own. */
  misplaced(dependent: Observed, reference: OwnerReference): void
}

/** Who owns whom, over all kinds. It only knows what it is shown; what follows from that is for others to decide. */
export class OwnerGraph {
  readonly #nodes = new Map<string, Node>()
  readonly #listener: GraphListener

  constructor(listener: GraphListener) {
    this.#listener = listener
  }

  get size(): number {
    return this.#nodes.size
  }

  get(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid)
  }

  /** An object is there, or has changed. */
  observe(place: ResourceLocation, metadata: ObjectMeta): void {
    const node = this.#node(metadata.uid!)
    const before = node.known?.metadata
    node.known = { place, metadata }
    this.#linkAnew(node, ownersOf(before), ownersOf(metadata))
    if (!before) for (const dependent of node.dependents) this.#checkReferences(dependent, node)
    if (isOrphaning(metadata) && !isOrphaning(before)) this.#listener.concerned(node.uid)
    if (isWaiting(metadata) && !isWaiting(before)) this.#concernWithDependents(node)
  }

  /** The object with this uid is gone, or never was. */
  forget(uid: string): void {
    const node = this.#nodes.get(uid)
    if (!node) return
    this.#nodes.delete(uid)
    for (const { uid: owner } of ownersOf(node.known?.metadata)) this.#unlink(node, owner)
    for (const dependent of node.dependents) this.#listener.concerned(dependent.uid)
  }

  #node(uid: string): Node {
    let node = this.#nodes.get(uid)
    if (!node) {
      node = new Node(uid)
      this.#nodes.set(uid, node)
    }
    return node
  }

  #linkAnew(node: Node, before: readonly OwnerReference[], now: readonly OwnerReference[]): void {
    if (areSameOwners(before, now)) return
    for (const { uid } of before) if (!now.some((reference) => reference.uid === uid)) this.#unlink(node, uid)
    for (const { uid } of now) this.#link(node, uid)
  }

  #link(node: Node, uid: string): void {
    const owner = this.#node(uid)
    owner.add(node)
    if (!owner.known) this.#listener.concerned(uid)
    else this.#checkReferences(node, owner)
    if (!isWaiting(owner.known?.metadata)) return
    // It waits for its dependents: this one is to go as well, or holds it up no longer.
    this.#listener.concerned(node.uid)
    this.#listener.concerned(uid)
  }

  #unlink(node: Node, uid: string): void {
    const owner = this.#nodes.get(uid)
    if (!owner) return
    owner.remove(node)
    if (!owner.known && owner.dependents.size === 0) this.#nodes.delete(uid)
    else if (isWaiting(owner.known?.metadata)) this.#listener.concerned(uid)
  }

  #concernWithDependents(node: Node): void {
    for (const dependent of node.dependents) this.#listener.concerned(dependent.uid)
    this.#listener.concerned(node.uid)
  }

  /** What is said of an owner that is known can be compared with the truth. */
  #checkReferences(dependent: GraphNode, { uid, known }: Node): void {
    for (const reference of ownersOf(dependent.known?.metadata)) {
      if (reference.uid !== uid || matches(reference, dependent.known!, known!)) continue
      this.#listener.concerned(dependent.uid)
      if (isElsewhere(dependent.known!, known!.metadata)) this.#listener.misplaced(dependent.known!, reference)
    }
  }
}

const nobody: ReadonlySet<Node> = new Set()

class Node implements GraphNode {
  readonly uid: string
  known: Observed | undefined
  /** Most objects own nothing, so most have no set of their own. */
  #dependents: Set<Node> | undefined

  constructor(uid: string) {
    this.uid = uid
  }

  get dependents(): ReadonlySet<Node> {
    return this.#dependents ?? nobody
  }

  add(dependent: Node): void {
    this.#dependents ??= new Set()
    this.#dependents.add(dependent)
  }

  remove(dependent: Node): void {
    this.#dependents?.delete(dependent)
  }
}
