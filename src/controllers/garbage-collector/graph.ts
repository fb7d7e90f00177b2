import type { ObjectMeta, OwnerReference } from '../../api/meta/v1/object-meta.js'
import type { ResourceLocation } from '../../client/resource-location.js'
import {
  areSameOwners,
  isDeletedInForeground,
  isInOtherNamespace,
  isOrphaning,
  type ObservedObject,
  ownersOf,
  referenceMatches,
} from './references.js'

/** An object among its owners and dependents. */
export interface GraphNode {
  readonly uid: string
  /** Undefined while it is only known from references: it may be gone, or not seen yet. */
  readonly known: ObservedObject | undefined
  /** The objects that name it as an owner, validly or not. */
  readonly dependents: ReadonlySet<GraphNode>
}

export interface GraphListener {
  /** The object with this uid must be reconciled. */
  changed(uid: string): void
  /** An object names an owner in another namespace. */
  invalidReference(dependent: ObservedObject, reference: OwnerReference): void
}

/** The owner references between all objects. Calls its listener for objects that must be reconciled, and decides nothing itself. */
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

  /** Takes in an object that was created or changed. */
  observe(location: ResourceLocation, metadata: ObjectMeta): void {
    const node = this.#node(metadata.uid!)
    const before = node.known?.metadata
    node.known = { location, metadata }
    this.#updateLinks(node, ownersOf(before), ownersOf(metadata))
    if (!before) for (const dependent of node.dependents) this.#checkReferences(dependent, node)
    if (isOrphaning(metadata) && !isOrphaning(before)) this.#listener.changed(node.uid)
    if (isDeletedInForeground(metadata) && !isDeletedInForeground(before)) this.#changedWithDependents(node)
  }

  /** Removes an object that is gone or never existed. */
  forget(uid: string): void {
    const node = this.#nodes.get(uid)
    if (!node) return
    this.#nodes.delete(uid)
    for (const { uid: owner } of ownersOf(node.known?.metadata)) this.#unlink(node, owner)
    for (const dependent of node.dependents) this.#listener.changed(dependent.uid)
  }

  #node(uid: string): Node {
    let node = this.#nodes.get(uid)
    if (!node) {
      node = new Node(uid)
      this.#nodes.set(uid, node)
    }
    return node
  }

  #updateLinks(node: Node, before: readonly OwnerReference[], now: readonly OwnerReference[]): void {
    if (areSameOwners(before, now)) return
    for (const { uid } of before) if (!now.some((reference) => reference.uid === uid)) this.#unlink(node, uid)
    for (const { uid } of now) this.#link(node, uid)
  }

  #link(node: Node, uid: string): void {
    const owner = this.#node(uid)
    owner.add(node)
    if (!owner.known) this.#listener.changed(uid)
    else this.#checkReferences(node, owner)
    if (!isDeletedInForeground(owner.known?.metadata)) return
    // The owner waits for its dependents: the new one must be deleted, and may block the owner.
    this.#listener.changed(node.uid)
    this.#listener.changed(uid)
  }

  #unlink(node: Node, uid: string): void {
    const owner = this.#nodes.get(uid)
    if (!owner) return
    owner.remove(node)
    if (!owner.known && owner.dependents.size === 0) this.#nodes.delete(uid)
    else if (isDeletedInForeground(owner.known?.metadata)) this.#listener.changed(uid)
  }

  #changedWithDependents(node: Node): void {
    for (const dependent of node.dependents) this.#listener.changed(dependent.uid)
    this.#listener.changed(node.uid)
  }

  /** Reports references to a known owner that do not match it. */
  #checkReferences(dependent: GraphNode, { uid, known }: Node): void {
    for (const reference of ownersOf(dependent.known?.metadata)) {
      if (reference.uid !== uid || referenceMatches(reference, dependent.known!, known!)) continue
      this.#listener.changed(dependent.uid)
      if (isInOtherNamespace(dependent.known!, known!.metadata))
        this.#listener.invalidReference(dependent.known!, reference)
    }
  }
}

const none: ReadonlySet<Node> = new Set()

class Node implements GraphNode {
  readonly uid: string
  known: ObservedObject | undefined
  /** Created when needed: most objects have no dependents. */
  #dependents: Set<Node> | undefined

  constructor(uid: string) {
    this.uid = uid
  }

  get dependents(): ReadonlySet<Node> {
    return this.#dependents ?? none
  }

  add(dependent: Node): void {
    this.#dependents ??= new Set()
    this.#dependents.add(dependent)
  }

  remove(dependent: Node): void {
    this.#dependents?.delete(dependent)
  }
}
