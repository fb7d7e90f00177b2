import type { OwnerReference } from '../../api/meta/v1/object-meta.js'
import type { Change } from '../../client/informers/informer.js'
import type { AnyObject } from '../../client/resource-client.js'
import type { ResourceLocation } from '../../client/resource-location.js'
import { quote } from '../../schema/quote.js'
import { discover, type ServedResources } from '../runtime/discovery.js'
import type { ControllerDependencies, ReconcileContext, ReconcileResult } from '../runtime/reconcile.js'
import { AbsentOwners } from './absent-owners.js'
import { Collector } from './collector.js'
import { OwnerGraph } from './graph.js'
import { Kinds } from './kinds.js'
import { Monitors } from './monitors.js'
import { OwnerSearch } from './owner-search.js'
import type { Observed } from './references.js'

/** Upstream's, in milliseconds: how often it is asked whether there are other kinds, and how long the first copies may take. */
const discoverEvery = 30_000
const patience = 30_000

/** Everything that the garbage collector knows, from its start to its end. */
export class Collection {
  readonly #events: ControllerDependencies['events']
  readonly #absent = new AbsentOwners()
  readonly #graph: OwnerGraph
  readonly #monitors: Monitors
  readonly #search: OwnerSearch
  readonly #collector: Collector
  #discovered: ServedResources = { resources: [], failures: new Map() }
  #kinds = new Kinds(this.#discovered)
  /**
   * What has to be looked at when everything is known: an owner whose dependents are not known yet looks like one that has none.
   * Undefined from then on.
   */
  #held: Set<string> | undefined = new Set()
  #lookAt: (uid: string) => void = (uid) => this.#held?.add(uid)

  constructor({ informers, events }: Pick<ControllerDependencies, 'informers' | 'events'>) {
    this.#events = events
    this.#graph = new OwnerGraph({
      concerned: (uid) => this.#lookAt(uid),
      misplaced: (dependent, reference) => this.#warn(dependent, reference),
    })
    this.#monitors = new Monitors(informers, (place, change) => this.#changed(place, change))
    this.#search = new OwnerSearch({ graph: this.#graph, absent: this.#absent, kinds: () => this.#kinds })
    this.#collector = new Collector({ graph: this.#graph, search: this.#search })
  }

  /** Looks which kinds there are, and begins to watch those that are new. */
  async discover(context: ReconcileContext): Promise<ReconcileResult> {
    const discovered = withFormer(await discover(context.client), this.#discovered)
    if (discovered === this.#discovered && !this.#held) return { requeueAfter: discoverEvery }
    this.#discovered = discovered
    this.#kinds = new Kinds(this.#discovered)
    const hasNew = this.#monitors.watch(this.#kinds.collected)
    if (this.#held) await this.#begin(this.#held, context)
    if (hasNew) for (const uid of this.#search.takeUndecided()) context.enqueue(uid)
    return { requeueAfter: discoverEvery }
  }

  lookAt(uid: string, context: ReconcileContext): Promise<ReconcileResult | undefined> {
    return this.#collector.lookAt(uid, context)
  }

  close(): void {
    this.#monitors.close()
  }

  async #begin(held: Set<string>, context: ReconcileContext): Promise<void> {
    await this.#monitors.synced(patience, context)
    this.#held = undefined
    this.#lookAt = context.enqueue
    for (const uid of held) context.enqueue(uid)
  }

  #changed(place: ResourceLocation, { type, object: { metadata } }: Change<AnyObject>): void {
    if (type === 'deleted') this.#gone(metadata.uid!)
    else this.#graph.observe(place, metadata)
  }

  #gone(uid: string): void {
    if (this.#graph.get(uid)?.dependents.size) this.#absent.add(uid)
    this.#graph.forget(uid)
  }

  #warn({ place, metadata }: Observed, { apiVersion, kind, name, uid }: OwnerReference): void {
    const { namespace = '' } = metadata
    const owner = `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}]`
    this.#events.record({
      about: aboutOf({ place, metadata }),
      type: 'Warning',
      reason: 'OwnerRefInvalidNamespace',
      message: `ownerRef ${owner} does not exist in namespace ${quote(namespace)}`,
    })
  }
}

/** Of metadata alone, the informers do not say what it is of. */
function aboutOf({ place: { apiVersion, kind }, metadata }: Observed): AnyObject {
  const about = { apiVersion, kind, metadata }
  return about
}

/** Of groups that do not answer, what was there before is taken to be there still. */
function withFormer(now: ServedResources, former: ServedResources): ServedResources {
  const kept = former.resources.filter(({ apiVersion }) => now.failures.has(apiVersion))
  return kept.length === 0 ? now : { ...now, resources: [...now.resources, ...kept] }
}
