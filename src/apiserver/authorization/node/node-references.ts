import type { Pod } from '../../../api/core/v1/pod.js'
import type { CachedObject } from '../../cache/cached-object.js'
import type { ChangeEvent } from '../../cache/object-store.js'
import type { ServedResource } from '../../registry/served-resource.js'
import { referencesOf } from './pod-references.js'

/** The references of one pod that is bound to a node. */
interface BoundPod {
  readonly node: string
  readonly references: ReadonlySet<string>
}

/**
 * Counts the objects that the pods of each node refer to; a reference ends with the last pod that has it. Follows the pods, so that it is as new as
 * the latest binding. Reads them at the first request of a node.
 */
export class NodeReferences {
  readonly #pods: ServedResource
  readonly #placed = new Map<string, BoundPod>()
  readonly #counts = new Map<string, Map<string, number>>()
  #isBuilt = false

  constructor(pods: ServedResource) {
    this.#pods = pods
    pods.objects.follow({ changed: (event) => this.#changed(event), reset: () => this.#forget() })
  }

  has(node: string, reference: string): boolean {
    if (!this.#isBuilt) this.#build()
    return this.#counts.get(node)?.has(reference) ?? false
  }

  #build(): void {
    this.#isBuilt = true
    for (const kept of this.#pods.objects.list(this.#pods.prefix)) this.#add(kept)
  }

  #forget(): void {
    this.#isBuilt = false
    this.#placed.clear()
    this.#counts.clear()
  }

  #changed({ type, object }: ChangeEvent): void {
    if (!this.#isBuilt) return
    this.#remove(object.key)
    if (type === 'put') this.#add(object)
  }

  #add({ key, object }: CachedObject): void {
    const pod = object as Pod
    const { nodeName: node } = pod.spec
    if (!node) return
    const references = referencesOf(pod)
    if (references.size === 0) return
    this.#placed.set(key, { node, references })
    const counts = this.#counts.get(node) ?? new Map<string, number>()
    this.#counts.set(node, counts)
    for (const reference of references) counts.set(reference, (counts.get(reference) ?? 0) + 1)
  }

  #remove(key: string): void {
    const placed = this.#placed.get(key)
    if (!placed) return
    this.#placed.delete(key)
    const counts = this.#counts.get(placed.node)!
    for (const reference of placed.references) {
      const left = counts.get(reference)! - 1
      if (left > 0) counts.set(reference, left)
      else counts.delete(reference)
    }
    if (counts.size === 0) this.#counts.delete(placed.node)
  }
}
