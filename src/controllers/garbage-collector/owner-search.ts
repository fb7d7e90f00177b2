import type { ObjectMeta, OwnerReference } from '../../api/meta/v1/object-meta.js'
import type { DiscoveredResource } from '../../client/discovery/discovered.js'
import type { ReconcileContext, ReconcileResult } from '../runtime/reconcile.js'
import type { AbsentOwners } from './absent-owners.js'
import type { GraphNode, OwnerGraph } from './graph.js'
import type { Standing } from './judgement.js'
import type { Kinds } from './kinds.js'
import { read } from './objects.js'
import { isWaiting, type Observed, ownersOf } from './references.js'

/** Owners that are there and that no informer shows are asked for again after so many milliseconds. */
const again = 30_000

export interface OwnerSearchParts {
  readonly graph: OwnerGraph
  readonly absent: AbsentOwners
  readonly kinds: () => Kinds
}

/** Where an owner must be if a reference is right. */
interface Whereabouts {
  readonly resource: DiscoveredResource
  readonly namespace: string
  readonly name: string
  readonly uid: string
  /** All of this, to tell one from another. */
  readonly text: string
}

/** Asks the server for owners that no informer shows: they may be gone, of a kind that nobody watches, or misnamed. */
export class OwnerSearch {
  readonly #parts: OwnerSearchParts
  /** What could not be decided because a kind is unknown: by and by, kinds are added. */
  readonly #undecided = new Set<string>()

  constructor(parts: OwnerSearchParts) {
    this.#parts = parts
  }

  /** Hands out, once, what may be decided now that there are other kinds. */
  takeUndecided(): readonly string[] {
    const undecided = [...this.#undecided]
    this.#undecided.clear()
    return undecided
  }

  /** Undefined if that cannot be told. */
  async standing(
    reference: OwnerReference,
    dependent: Observed,
    { client }: ReconcileContext,
  ): Promise<Standing | undefined> {
    const where = this.#whereabouts(reference, dependent)
    if (where === 'unknown') return this.#parts.absent.has(reference.uid) ? 'absent' : undefined
    if (where === 'nowhere') return undefined
    const owner = await this.#find(where, client)
    if (!owner) return 'absent'
    return isWaiting(owner) ? 'waiting' : 'solid'
  }

  /** An owner that is only known by name: is it anywhere that its dependents say? */
  async lookFor(node: GraphNode, { client, enqueue }: ReconcileContext): Promise<ReconcileResult | undefined> {
    const { places, isComplete } = this.#placesOf(node)
    let isFound = false
    for (const { where, dependents } of places) {
      if (await this.#find(where, client)) isFound = true
      else for (const uid of dependents) enqueue(uid)
    }
    // Its informer may have shown it meanwhile.
    if (this.#parts.graph.get(node.uid)?.known) return undefined
    if (isFound) return { requeueAfter: again }
    if (isComplete) this.#parts.graph.forget(node.uid)
    return undefined
  }

  /** Everywhere that an owner is said to be, and who says so. Not complete where some say what cannot be looked up. */
  #placesOf(node: GraphNode) {
    const places = new Map<string, { readonly where: Whereabouts; readonly dependents: string[] }>()
    let isComplete = true
    for (const { uid, known } of node.dependents)
      for (const reference of ownersOf(known?.metadata)) {
        if (reference.uid !== node.uid) continue
        const where = this.#whereabouts(reference, known!)
        if (where === 'unknown' || where === 'nowhere') {
          isComplete = false
          continue
        }
        const place = places.get(where.text) ?? { where, dependents: [] }
        place.dependents.push(uid)
        places.set(where.text, place)
      }
    return { places: places.values(), isComplete }
  }

  /** Nowhere: what has no namespace names an owner that must have one. Nobody can say which, so nobody decides about it. */
  #whereabouts(reference: OwnerReference, { place, metadata }: Observed): Whereabouts | 'unknown' | 'nowhere' {
    const { apiVersion, kind, name, uid } = reference
    const resource = this.#parts.kinds().find(apiVersion, kind)
    if (!resource) {
      this.#undecided.add(metadata.uid!).add(uid)
      return 'unknown'
    }
    if (resource.namespaced && !place.namespaced) return 'nowhere'
    const namespace = resource.namespaced ? metadata.namespace! : ''
    return { resource, namespace, name, uid, text: `${uid} ${resource.group} ${kind} ${namespace} ${name}` }
  }

  async #find(where: Whereabouts, client: ReconcileContext['client']): Promise<ObjectMeta | undefined> {
    const { absent } = this.#parts
    if (absent.has(where.uid) || absent.has(where.text)) return undefined
    const found = await read(client, where.resource, where)
    if (found?.uid === where.uid) return found
    absent.add(where.text)
    return undefined
  }
}
