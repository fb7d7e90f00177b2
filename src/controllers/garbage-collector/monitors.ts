import { sleep } from '../../base/clock.js'
import type { DiscoveredResource } from '../../client/discovery/discovered.js'
import type { Change, Informer, SharedInformers } from '../../client/informers/informer.js'
import type { AnyObject } from '../../client/resource-client.js'
import type { ResourceLocation } from '../../client/resource-location.js'
import type { ReconcileContext } from '../runtime/reconcile.js'

interface Monitor {
  readonly resource: DiscoveredResource
  readonly informer: Informer
  readonly end: () => void
}

/** The informers of all kinds that are collected. */
export class Monitors {
  readonly #informers: SharedInformers
  readonly #handle: (place: ResourceLocation, change: Change<AnyObject>) => void
  #monitors: ReadonlyMap<string, Monitor> = new Map()

  constructor(informers: SharedInformers, handle: (place: ResourceLocation, change: Change<AnyObject>) => void) {
    this.#informers = informers
    this.#handle = handle
  }

  /** These from now on, and no others. Tells whether any is new. */
  watch(resources: readonly DiscoveredResource[]): boolean {
    const before = this.#monitors
    this.#monitors = new Map(resources.map((each) => [nameOf(each), before.get(nameOf(each)) ?? this.#begin(each)]))
    for (const [name, { end }] of before) if (!this.#monitors.has(name)) end()
    return resources.some((each) => !before.has(nameOf(each)))
  }

  /** Resolves when everything that there was is known, or it makes no sense to wait any longer for the rest. */
  async synced(patience: number, { environment, signal }: ReconcileContext): Promise<void> {
    const giveUp = new AbortController()
    const late = sleep(environment.clock, patience, AbortSignal.any([signal, giveUp.signal])).then(
      () => environment.log.warn('not every kind could be read; going on without', { kinds: this.#unread() }),
      () => undefined,
    )
    const informers = [...this.#monitors.values()].map(({ informer }) => informer.synced)
    await Promise.race([Promise.all(informers).catch(() => undefined), late]) // one that is closed is not waited for
    giveUp.abort()
  }

  close(): void {
    for (const { end } of this.#monitors.values()) end()
  }

  #begin(resource: DiscoveredResource): Monitor {
    const informer = this.#informers.of(resource, { metadataOnly: true })
    const end = informer.onChange((change) => this.#handle(resource, change))
    return { resource, informer, end }
  }

  #unread(): readonly string[] {
    return [...this.#monitors].filter(([, { informer }]) => !informer.isSynced).map(([name]) => name)
  }
}

function nameOf({ root, plural }: DiscoveredResource): string {
  return `${root}/${plural}`
}
