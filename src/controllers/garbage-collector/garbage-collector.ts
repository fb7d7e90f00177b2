import type { OwnerReference } from '../../api/meta/v1/object-meta.js'
import type { Change } from '../../client/informers/informer.js'
import type { AnyObject } from '../../client/resource-client.js'
import type { ResourceLocation } from '../../client/resource-location.js'
import { quote } from '../../schema/quote.js'
import { discover, type ServedResources } from '../runtime/discovery.js'
import {
  type ControllerDependencies,
  type Reconcile,
  type ReconcileContext,
  type ReconcileResult,
  reconcileInSteps,
} from '../runtime/reconcile.js'
import { AbsentOwners } from './absent-owners.js'
import { actorOf } from './act.js'
import { decide } from './decide.js'
import { OwnerGraph } from './graph.js'
import { ServedKinds } from './kinds.js'
import { Monitors } from './monitors.js'
import { ObjectObserver } from './observe.js'
import { OwnerSearch } from './owner-search.js'
import type { ObservedObject } from './references.js'

/** Milliseconds, as upstream: between two discoveries of kinds, and until the informers must have synced at the start. */
const discoveryInterval = 30_000
const syncTimeout = 30_000

/** The state of the garbage collector: the kinds, their informers and the graph of owners. */
export class GarbageCollector {
  readonly #events: ControllerDependencies['events']
  readonly #absent = new AbsentOwners()
  readonly #graph: OwnerGraph
  readonly #monitors: Monitors
  readonly #search: OwnerSearch
  /** Reconciles the object with a uid. */
  readonly reconcile: Reconcile
  #discovered: ServedResources = { resources: [], failures: new Map() }
  #kinds = new ServedKinds(this.#discovered)
  /**
   * Objects to reconcile when all kinds are synced: before that, an owner whose dependents are unknown looks like one without dependents.
   * Undefined from then on.
   */
  #pending: Set<string> | undefined = new Set()
  #enqueue: (uid: string) => void = (uid) => this.#pending?.add(uid)

  constructor({ informers, events }: Pick<ControllerDependencies, 'informers' | 'events'>) {
    this.#events = events
    this.#graph = new OwnerGraph({
      changed: (uid) => this.#enqueue(uid),
      invalidReference: (dependent, reference) => this.#warn(dependent, reference),
    })
    this.#monitors = new Monitors(informers, (location, change) => this.#changed(location, change))
    this.#search = new OwnerSearch({ graph: this.#graph, absent: this.#absent, kinds: () => this.#kinds })
    const observer = new ObjectObserver({ graph: this.#graph, search: this.#search })
    this.reconcile = reconcileInSteps({
      observe: (uid, context) => observer.observe(uid, context),
      decide,
      act: actorOf({ observer, forget: (uid) => this.#graph.forget(uid) }),
    })
  }

  /** Discovers the kinds, and watches those that are new. */
  async discover(context: ReconcileContext): Promise<ReconcileResult> {
    const discovered = withUndiscovered(await discover(context.client), this.#discovered)
    if (discovered === this.#discovered && !this.#pending) return { requeueAfter: discoveryInterval }
    this.#discovered = discovered
    this.#kinds = new ServedKinds(this.#discovered)
    const hasNew = this.#monitors.watch(this.#kinds.collected)
    if (this.#pending) await this.#start(this.#pending, context)
    if (hasNew) for (const uid of this.#search.takeUndecided()) context.enqueue(uid)
    return { requeueAfter: discoveryInterval }
  }

  close(): void {
    this.#monitors.close()
  }

  async #start(pending: Set<string>, context: ReconcileContext): Promise<void> {
    await this.#monitors.synced(syncTimeout, context)
    this.#pending = undefined
    this.#enqueue = context.enqueue
    for (const uid of pending) context.enqueue(uid)
  }

  #changed(location: ResourceLocation, { type, object: { metadata } }: Change<AnyObject>): void {
    if (type === 'deleted') this.#gone(metadata.uid!)
    else this.#graph.observe(location, metadata)
  }

  #gone(uid: string): void {
    if (this.#graph.get(uid)?.dependents.size) this.#absent.add(uid)
    this.#graph.forget(uid)
  }

  #warn({ location, metadata }: ObservedObject, { apiVersion, kind, name, uid }: OwnerReference): void {
    const { namespace = '' } = metadata
    const owner = `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`
    this.#events.record({
      about: aboutOf({ location, metadata }),
      type: 'Warning',
      reason: 'OwnerRefInvalidNamespace',
      message: `ownerRef ${owner} does not exist in namespace ${quote(namespace)}`,
    })
  }
}

/** Informers of metadata show objects without their kind. */
function aboutOf({ location: { apiVersion, kind }, metadata }: ObservedObject): AnyObject {
  return { apiVersion, kind, metadata } as AnyObject
}

/** Groups that do not respond are assumed to serve the same resources as before. */
function withUndiscovered(now: ServedResources, before: ServedResources): ServedResources {
  const kept = before.resources.filter(({ apiVersion }) => now.failures.has(apiVersion))
  return kept.length === 0 ? now : { ...now, resources: [...now.resources, ...kept] }
}
