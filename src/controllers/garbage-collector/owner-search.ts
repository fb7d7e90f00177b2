import type { ObjectMeta, OwnerReference } from '../../api/meta/v1/object-meta.js'
import type { DiscoveredResource } from '../../client/discovery/discovered.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import type { AbsentOwners } from './absent-owners.js'
import type { OwnerSearchResult, OwnerState } from './decide.js'
import type { GraphNode, OwnerGraph } from './graph.js'
import type { ServedKinds } from './kinds.js'
import { readMetadata } from './objects.js'
import { isDeletedInForeground, type ObservedObject, ownersOf } from './references.js'

export interface OwnerSearchDependencies {
  readonly graph: OwnerGraph
  readonly absent: AbsentOwners
  readonly kinds: () => ServedKinds
}

/** Where an owner must be if a reference is valid. */
interface OwnerLocation {
  readonly resource: DiscoveredResource
  readonly namespace: string
  readonly name: string
  readonly uid: string
  /** Identifies the location. */
  readonly text: string
}

/** Requests owners that no informer shows: they may be gone, of a kind without informer, or referenced wrongly. */
export class OwnerSearch {
  readonly #dependencies: OwnerSearchDependencies
  /** The uids that could not be decided on because a kind is unknown. */
  readonly #undecided = new Set<string>()

  constructor(dependencies: OwnerSearchDependencies) {
    this.#dependencies = dependencies
  }

  /** Returns and clears what may be decided after new kinds were discovered. */
  takeUndecided(): readonly string[] {
    const undecided = [...this.#undecided]
    this.#undecided.clear()
    return undecided
  }

  /** Undefined if it cannot be known. */
  async state(
    reference: OwnerReference,
    dependent: ObservedObject,
    { client }: ReconcileContext,
  ): Promise<OwnerState | undefined> {
    const where = this.#locate(reference, dependent)
    if (where === 'unknown') return this.#dependencies.absent.has(reference.uid) ? 'absent' : undefined
    if (where === 'nowhere') return undefined
    const owner = await this.#request(where, client)
    if (!owner) return 'absent'
    return isDeletedInForeground(owner) ? 'waiting' : 'solid'
  }

  /** Requests an owner that is only known from references, at every location that its dependents name. */
  async find(node: GraphNode, { client }: ReconcileContext): Promise<OwnerSearchResult> {
    const { locations, isComplete } = this.#locationsOf(node)
    const misled: string[] = []
    let isFound = false
    for (const { location, dependents } of locations) {
      if (await this.#request(location, client)) isFound = true
      else misled.push(...dependents)
    }
    const isSeen = this.#dependencies.graph.get(node.uid)?.known !== undefined
    return { uid: node.uid, misled, isFound, isComplete, isSeen }
  }

  /** The locations that references to an owner name, with the dependents that name them. Not complete if a reference cannot be looked up. */
  #locationsOf(node: GraphNode) {
    const locations = new Map<string, { readonly location: OwnerLocation; readonly dependents: string[] }>()
    let isComplete = true
    for (const { uid, known } of node.dependents)
      for (const reference of ownersOf(known?.metadata)) {
        if (reference.uid !== node.uid) continue
        const where = this.#locate(reference, known!)
        if (where === 'unknown' || where === 'nowhere') {
          isComplete = false
          continue
        }
        const entry = locations.get(where.text) ?? { location: where, dependents: [] }
        entry.dependents.push(uid)
        locations.set(where.text, entry)
      }
    return { locations: locations.values(), isComplete }
  }

  /** 'nowhere': an object without namespace names an owner that needs one. The namespace is unknown, so nothing can be decided. */
  #locate(reference: OwnerReference, { location, metadata }: ObservedObject): OwnerLocation | 'unknown' | 'nowhere' {
    const { apiVersion, kind, name, uid } = reference
    const resource = this.#dependencies.kinds().find(apiVersion, kind)
    if (!resource) {
      this.#undecided.add(metadata.uid!).add(uid)
      return 'unknown'
    }
    if (resource.namespaced && !location.namespaced) return 'nowhere'
    const namespace = resource.namespaced ? metadata.namespace! : ''
    return { resource, namespace, name, uid, text: `${uid} ${resource.group} ${kind} ${namespace} ${name}` }
  }

  async #request(where: OwnerLocation, client: ReconcileContext['client']): Promise<ObjectMeta | undefined> {
    const { absent } = this.#dependencies
    if (absent.has(where.uid) || absent.has(where.text)) return undefined
    const found = await readMetadata(client, where.resource, where)
    if (found?.uid === where.uid) return found
    absent.add(where.text)
    return undefined
  }
}
