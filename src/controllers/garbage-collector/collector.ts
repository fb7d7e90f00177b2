import { hasReason } from '../../api/errors.js'
import type { OwnerReference } from '../../api/meta/v1/object-meta.js'
import { foregroundFinalizer, orphanFinalizer } from '../../api/metadata/finalizers.js'
import { forEachConcurrently } from '../runtime/concurrency.js'
import type { ReconcileContext, ReconcileResult } from '../runtime/reconcile.js'
import type { GraphNode, OwnerGraph } from './graph.js'
import { type Judgement, judge, type Owner } from './judgement.js'
import { read, remove, rewrite, write } from './objects.js'
import type { OwnerSearch } from './owner-search.js'
import { areSameOwners, isOrphaning, isWaiting, matches, type Observed, ownersOf } from './references.js'
import { isBlocked, waitsForItself } from './waiting.js'

/** How many dependents are released at once. */
const releasesAtOnce = 32
/** Somebody else may change an object so often while it is judged. */
const attempts = 5

export interface CollectorParts {
  readonly graph: OwnerGraph
  readonly search: OwnerSearch
}

/** Looks at one object after the other, and does what follows from how it stands with its owners and dependents. */
export class Collector {
  readonly #parts: CollectorParts

  constructor(parts: CollectorParts) {
    this.#parts = parts
  }

  async lookAt(uid: string, context: ReconcileContext): Promise<ReconcileResult | undefined> {
    const { graph, search } = this.#parts
    const node = graph.get(uid)
    if (!node) return undefined
    if (!node.known) return search.lookFor(node, context)
    const { metadata } = node.known
    if (isOrphaning(metadata)) return this.#orphanDependents(node, node.known, context)
    if (isWaiting(metadata)) return this.#waitForDependents(node, node.known, context)
    if (metadata.deletionTimestamp !== undefined || ownersOf(metadata).length === 0) return undefined
    return this.#judge(node, node.known, context)
  }

  async #orphanDependents(node: GraphNode, known: Observed, { client }: ReconcileContext): Promise<ReconcileResult> {
    const dependents = [...node.dependents]
    await forEachConcurrently(dependents, releasesAtOnce, async (dependent) => {
      await rewrite(client, dependent.known!, ({ ownerReferences = [] }) => {
        const others = ownerReferences.filter(({ uid }) => uid !== node.uid)
        return others.length === ownerReferences.length ? undefined : { ownerReferences: orNone(others) }
      })
    })
    await withoutFinalizer(known, orphanFinalizer, { client })
    return told(known, `released ${dependents.length}`, 'it was deleted without its dependents')
  }

  async #waitForDependents(
    node: GraphNode,
    known: Observed,
    { client }: ReconcileContext,
  ): Promise<ReconcileResult | undefined> {
    if (!isBlocked(node)) {
      await withoutFinalizer(known, foregroundFinalizer, { client })
      return told(known, 'let go', 'it was deleted after its dependents, and none is left')
    }
    if (!waitsForItself(node)) return undefined
    await rewrite(client, known, ({ ownerReferences = [] }) =>
      ownerReferences.some(({ blockOwnerDeletion }) => blockOwnerDeletion)
        ? { ownerReferences: ownerReferences.map((each) => ({ ...each, blockOwnerDeletion: false })) }
        : undefined,
    )
    return told(
      known,
      'blocks its owners no longer',
      'it is among its own owners, and all of them wait for one another',
    )
  }

  /** Decides by what the informers show, and once more by what the server says if that has changed meanwhile. */
  async #judge(node: GraphNode, known: Observed, context: ReconcileContext): Promise<ReconcileResult | undefined> {
    let observed = known
    let isExact = true
    for (let attempt = 1; ; attempt++) {
      const owners = await this.#ownersOf(observed, context)
      if (!owners) return undefined
      const judgement = judge(owners, observed.metadata, node.dependents.size > 0)
      try {
        return await carryOut(observed, judgement, { isExact, owners, context })
      } catch (error) {
        if (attempt === attempts || !hasReason(error, 'Conflict')) throw error
      }
      const metadata = await read(context.client, observed.place, observed.metadata)
      if (metadata?.uid !== node.uid || metadata.deletionTimestamp !== undefined) return undefined
      // Changes that have nothing to do with owners must not hold up the end of an object for ever.
      isExact = !areSameOwners(ownersOf(observed.metadata), ownersOf(metadata))
      observed = { place: observed.place, metadata }
    }
  }

  /** How it stands with each owner; undefined if that cannot be told of all of them. */
  async #ownersOf(dependent: Observed, context: ReconcileContext): Promise<readonly Owner[] | undefined> {
    const owners: Owner[] = []
    for (const reference of ownersOf(dependent.metadata)) {
      const standing =
        this.#shown(reference, dependent) ?? (await this.#parts.search.standing(reference, dependent, context))
      if (!standing) return undefined
      owners.push({ reference, standing })
    }
    return owners
  }

  /** What the informers show needs not be asked for: when it changes, the dependents are looked at again. */
  #shown(reference: OwnerReference, dependent: Observed): Owner['standing'] | undefined {
    const owner = this.#parts.graph.get(reference.uid)?.known
    if (!owner || !matches(reference, dependent, owner)) return undefined
    return isWaiting(owner.metadata) ? 'waiting' : 'solid'
  }
}

interface Circumstances {
  readonly isExact: boolean
  readonly owners: readonly Owner[]
  readonly context: ReconcileContext
}

async function carryOut(
  observed: Observed,
  judgement: Judgement,
  { isExact, owners, context: { client } }: Circumstances,
): Promise<ReconcileResult | undefined> {
  switch (judgement.does) {
    case 'keep':
      return undefined
    case 'release': {
      const others = owners.filter((owner) => !judgement.from.includes(owner)).map(({ reference }) => reference)
      await write(client, observed, { ownerReferences: others })
      return told(observed, `released from ${named(judgement.from)}`, `${named(owners)} owned it, and some are left`)
    }
    default:
      await remove(client, observed, { policy: judgement.policy, isExact })
      return told(observed, `deleted (${judgement.policy})`, `none of its owners is left: ${named(owners)}`)
  }
}

async function withoutFinalizer(
  known: Observed,
  finalizer: string,
  { client }: Pick<ReconcileContext, 'client'>,
): Promise<void> {
  await rewrite(client, known, ({ finalizers = [] }) =>
    finalizers.includes(finalizer)
      ? { finalizers: orNone(finalizers.filter((each) => each !== finalizer)) }
      : undefined,
  )
}

/** What is empty is not there at all. */
function orNone<T>(list: readonly T[]): readonly T[] | null {
  return list.length === 0 ? null : list
}

function named(owners: readonly Owner[]): string {
  return owners.map(({ reference: { kind, name }, standing }) => `${kind} ${name} (${standing})`).join(', ')
}

function told({ place, metadata }: Observed, decision: string, reason: string): ReconcileResult {
  const { name = '', namespace, uid = '' } = metadata
  return { trace: { subject: { kind: place.kind, name, uid, ...(namespace && { namespace }) }, decision, reason } }
}
