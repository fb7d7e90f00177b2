import type { Pod } from '../../../api/core/v1/pod.js'
import type { CachedObject } from '../../cache/cached-object.js'
import type { ChangeEvent } from '../../cache/object-store.js'
import type { ServedResource } from '../../registry/served-resource.js'
import { referencesOf } from './pod-references.js'

/** What one pod needs on its node. */
interface Placed {
  readonly node: string
  readonly references: ReadonlySet<string>
}

/**
 * What each node needs for the pods that are bound to it, counted, so that the last pod that needs something takes it along.
 * Follows the pods, so that no answer is older than the latest binding. Read when the first node asks.
 */
export class NodeReferences {
  readonly #pods: ServedResource
  readonly #placed = new Map<string, Placed>()
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
