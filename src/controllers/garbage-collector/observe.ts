import type { OwnerReference } from '../../api/meta/v1/object-meta.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import type { CollectorObservation, ObservedOwner, OwnedObservation, OwnerState } from './decide.js'
import { isBlocked, isInCycle } from './deletion-cycles.js'
import type { OwnerGraph } from './graph.js'
import type { OwnerSearch } from './owner-search.js'
import { isDeletedInForeground, isOrphaning, type ObservedObject, ownersOf, referenceMatches } from './references.js'

export interface ObserverDependencies {
  readonly graph: OwnerGraph
  readonly search: OwnerSearch
}

/** Observes one object, its owners and its dependents. */
export class ObjectObserver {
  readonly #graph: OwnerGraph
  readonly #search: OwnerSearch

  constructor({ graph, search }: ObserverDependencies) {
    this.#graph = graph
    this.#search = search
  }

  async observe(uid: string, context: ReconcileContext): Promise<CollectorObservation | undefined> {
    const node = this.#graph.get(uid)
    if (!node) return undefined
    const object = node.known
    if (!object) return { is: 'unseen owner', ...(await this.#search.find(node, context)) }
    const { metadata } = object
    if (isOrphaning(metadata))
      return { is: 'orphaning', object, dependents: [...node.dependents].map(({ known }) => known!) }
    if (isDeletedInForeground(metadata)) {
      const isWaiting = isBlocked(node)
      return { is: 'waiting', object, isBlocked: isWaiting, isInCycle: isWaiting && isInCycle(node) }
    }
    if (metadata.deletionTimestamp !== undefined || ownersOf(metadata).length === 0) return undefined
    return this.observeOwned(object, { isExact: true, attempt: 1 }, context)
  }

  /** Undefined if the state of an owner cannot be known. */
  async observeOwned(
    object: ObservedObject,
    { isExact, attempt }: Pick<OwnedObservation, 'isExact' | 'attempt'>,
    context: ReconcileContext,
  ): Promise<OwnedObservation | undefined> {
    const owners: ObservedOwner[] = []
    for (const reference of ownersOf(object.metadata)) {
      const state = this.#shownState(reference, object) ?? (await this.#search.state(reference, object, context))
      if (!state) return undefined
      owners.push({ reference, state })
    }
    const hasDependents = (this.#graph.get(object.metadata.uid!)?.dependents.size ?? 0) > 0
    return { is: 'owned', object, owners, hasDependents, isExact, attempt }
  }

  /** An owner that an informer shows needs no request: its dependents are reconciled again when it changes. */
  #shownState(reference: OwnerReference, dependent: ObservedObject): OwnerState | undefined {
    const owner = this.#graph.get(reference.uid)?.known
    if (!owner || !referenceMatches(reference, dependent, owner)) return undefined
    return isDeletedInForeground(owner.metadata) ? 'waiting' : 'solid'
  }
}
